import * as fc from 'fast-check';
import type { ServicePayment } from '../api/service-payment.js';
import { valueFromMinor } from '../common/money.js';
import {
  canMove,
  isFinal,
  paymentStatuses,
  serviceStatuses,
  type PaymentStatus,
} from '../common/payment-status.js';
import { judge, type Expectation, type Verdict } from './judge.js';

const expected = (fields: Partial<Expectation> = {}): Expectation => ({
  status: 'pending',
  serviceId: 'service-1',
  amountMinor: 10_000,
  authorizedMinor: fields.status === 'waiting_for_capture' ? 10_000 : 0,
  capture: false,
  capturedMinor: fields.status === 'succeeded' ? 10_000 : 0,
  askedMinor: null,
  currency: 'RUB',
  accountId: 'test_shop',
  test: true,
  ...fields,
});

const object = (fields: Partial<ServicePayment> = {}): ServicePayment => ({
  id: 'service-1',
  status: 'pending',
  amountMinor: 10_000,
  currency: 'RUB',
  refundedMinor: 0,
  accountId: 'test_shop',
  test: true,
  confirmation: null,
  expiresAt: null,
  createdAt: null,
  cancellation: null,
  cardLast4: null,
  receiptStatus: null,
  method: null,
  discountMinor: null,
  metadata: {},
  kept: {},
  ...fields,
});

const moves = (to: string) => ({ kind: 'move', to });
const stale = (status: string) => ({ kind: 'stale', status });
const contradicted = (from: string, by: string) => ({
  kind: 'anomaly',
  reason: `final status ${from} contradicted by ${by}`,
});
const unchanged = { kind: 'unchanged' };

/** Rows: what we know; columns: what the service says, in the order of `serviceStatuses`. */
const verdicts: Record<PaymentStatus, [object, object, object, object]> = {
  submitting: [moves('pending'), moves('waiting_for_capture'), moves('succeeded'), moves('canceled')],
  pending: [unchanged, moves('waiting_for_capture'), moves('succeeded'), moves('canceled')],
  waiting_for_capture: [stale('pending'), unchanged, moves('succeeded'), moves('canceled')],
  succeeded: [
    stale('pending'),
    stale('waiting_for_capture'),
    unchanged,
    contradicted('succeeded', 'canceled'),
  ],
  canceled: [
    stale('pending'),
    stale('waiting_for_capture'),
    contradicted('canceled', 'succeeded'),
    unchanged,
  ],
  rejected: [
    contradicted('rejected', 'pending'),
    contradicted('rejected', 'waiting_for_capture'),
    contradicted('rejected', 'succeeded'),
    contradicted('rejected', 'canceled'),
  ],
};

describe('an object that matches its intent', () => {
  it.each(
    paymentStatuses.flatMap((from) =>
      serviceStatuses.map((to, index) => [from, to, verdicts[from][index]] as const),
    ),
  )('of a %s payment saying %s is %o', (status, said, verdict) => {
    expect(judge(expected({ status }), object({ status: said }))).toEqual(verdict);
  });

  it.each<[string, Partial<Expectation>, Partial<ServicePayment>]>([
    ['whose id is not known yet', { serviceId: null }, { id: 'service-2' }],
    ['that does not name its store', {}, { accountId: null }],
    ['that does not say whether it is a test', {}, { test: null }],
    ['of a real store', { test: false, accountId: '507' }, { test: false, accountId: '507' }],
    ['captured in part', {}, { amountMinor: 6_000 }],
    ['captured in part and returned', {}, { amountMinor: 6_000, refundedMinor: 6_000 }],
    ['captured in the part we asked for', { askedMinor: 6_000 }, { amountMinor: 6_000 }],
    ['captured whole, as we asked for', { askedMinor: 10_000 }, {}],
    ['returned in part', {}, { refundedMinor: 1 }],
    ['returned in full', {}, { refundedMinor: 10_000 }],
  ])('%s is applied', (_name, fields, said) => {
    expect(judge(expected(fields), object({ status: 'succeeded', ...said }))).toEqual(moves('succeeded'));
  });
});

describe('an object that does not match its intent', () => {
  it.each<[string, Partial<ServicePayment>, string]>([
    ['of another id', { id: 'service-2' }, 'id service-2 instead of service-1'],
    ['of another currency', { currency: 'USD' }, 'currency USD instead of RUB'],
    ['of another store', { accountId: '507' }, 'store 507 instead of test_shop'],
    ['that is no test', { test: false }, 'test false instead of true'],
    ['of a kopeck more', { amountMinor: 10_001 }, 'amount of 100.01 instead of 100.00'],
    ['of a kopeck less', { amountMinor: 9_999 }, 'amount of 99.99 instead of 100.00'],
    [
      'held for less',
      { status: 'waiting_for_capture', amountMinor: 6_000 },
      'amount of 60.00 instead of 100.00',
    ],
    ['canceled at less', { status: 'canceled', amountMinor: 6_000 }, 'amount of 60.00 instead of 100.00'],
    ['captured for more', { status: 'succeeded', amountMinor: 10_001 }, 'amount of 100.01 instead of 100.00'],
    [
      'returned beyond its amount',
      { status: 'succeeded', refundedMinor: 10_001 },
      '100.01 refunded of 100.00',
    ],
    [
      'returned beyond what was captured',
      { status: 'succeeded', amountMinor: 6_000, refundedMinor: 6_001 },
      '60.01 refunded of 60.00',
    ],
    ['of an unknown status', { status: 'refunded' }, 'unknown status refunded'],
    ['of one of our own statuses', { status: 'rejected' }, 'unknown status rejected'],
    ['of a status that is a name of every object', { status: '__proto__' }, 'unknown status __proto__'],
  ])('%s is applied to nothing', (_name, said, reason) => {
    expect(judge(expected(), object(said))).toEqual({ kind: 'anomaly', reason });
  });

  it('of a one-stage payment that succeeded for less is applied to nothing', () => {
    const less = object({ status: 'succeeded', amountMinor: 9_999 });
    expect(judge(expected({ capture: true }), less)).toMatchObject({ kind: 'anomaly' });
    expect(judge(expected({ capture: true }), object({ status: 'succeeded' }))).toEqual(moves('succeeded'));
  });

  it.each([
    [6_000, 10_000],
    [6_000, 5_999],
    [10_000, 6_000],
  ])(
    'of which we requested %i, and that captured %i, is in doubt and applied to nothing',
    (askedMinor, amountMinor) => {
      const reason = `${valueFromMinor(amountMinor)} captured instead of the requested ${valueFromMinor(askedMinor)}`;
      const held = expected({ status: 'waiting_for_capture', askedMinor });
      const verdict = judge(held, object({ status: 'succeeded', amountMinor }));
      expect(verdict).toEqual({ kind: 'anomaly', reason, inDoubt: true });
    },
  );

  it('that captured another sum than it said before is applied to nothing', () => {
    const known = expected({ status: 'succeeded', capturedMinor: 6_000 });
    expect(judge(known, object({ status: 'succeeded', amountMinor: 6_000 }))).toEqual(unchanged);
    expect(judge(known, object({ status: 'succeeded', amountMinor: 10_000 }))).toMatchObject({
      kind: 'anomaly',
    });
    expect(judge(known, object({ status: 'succeeded', amountMinor: 5_000 }))).toMatchObject({
      kind: 'anomaly',
    });
  });

  it('is reported by its mismatch even if the status would be stale or unchanged', () => {
    const other = object({ status: 'pending', id: 'service-2' });
    expect(judge(expected({ status: 'succeeded' }), other).kind).toBe('anomaly');
    expect(judge(expected({ status: 'pending' }), other).kind).toBe('anomaly');
  });
});

describe('an amount that a credit lowered', () => {
  const lowered = (fields: Partial<ServicePayment> = {}) =>
    object({ method: 'sber_loan', discountMinor: 1_000, amountMinor: 9_000, ...fields });
  const anomaly = { kind: 'anomaly' };

  it.each<[string, Partial<Expectation>, Partial<ServicePayment>, object]>([
    [
      'is applied where the discount makes it up',
      {},
      { status: 'waiting_for_capture' },
      moves('waiting_for_capture'),
    ],
    [
      'is applied at once where nothing is held',
      { capture: true },
      { status: 'succeeded' },
      moves('succeeded'),
    ],
    ['is applied while the credit is thought over', {}, {}, unchanged],
    ['is captured in part', {}, { status: 'succeeded', amountMinor: 4_000 }, moves('succeeded')],
    ['is not captured for more', {}, { status: 'succeeded', amountMinor: 9_001 }, anomaly],
    ['is refused a kopeck further', { capture: true }, { status: 'succeeded', amountMinor: 8_999 }, anomaly],
    ['is refused with another discount', {}, { discountMinor: 999 }, anomaly],
    ['is refused without one', {}, { discountMinor: null }, anomaly],
    ['is refused by another method', {}, { method: 'sber_bnpl' }, anomaly],
    ['is refused while the method is not known', {}, { method: null }, anomaly],
    ['is not below zero', {}, { discountMinor: 10_000, amountMinor: 0 }, anomaly],
  ])('%s', (_name, fields, said, verdict) => {
    expect(judge(expected(fields), lowered(said))).toMatchObject(verdict);
  });

  it('is the whole of a hold from then on', () => {
    const held = expected({ status: 'waiting_for_capture', authorizedMinor: 9_000 });
    const said = (fields: Partial<ServicePayment>) => judge(held, lowered(fields));
    expect(said({ status: 'waiting_for_capture' })).toEqual(unchanged);
    expect(said({ status: 'waiting_for_capture', amountMinor: 10_000 })).toMatchObject(anomaly);
    expect(said({ status: 'succeeded' })).toEqual(moves('succeeded'));
    expect(said({ status: 'succeeded', discountMinor: null, amountMinor: 9_001 })).toMatchObject(anomaly);
    expect(said({ status: 'canceled' })).toEqual(moves('canceled'));
    expect(said({ status: 'pending', amountMinor: 10_000 })).toEqual(stale('pending'));
  });
});

describe('whatever we know and the service says', () => {
  const known = fc
    .record({
      status: fc.constantFrom(...paymentStatuses),
      serviceId: fc.constantFrom(null, 'a', 'b'),
      amountMinor: fc.integer({ min: 1, max: 3 }),
      capture: fc.boolean(),
      capturedMinor: fc.nat(3),
      askedMinor: fc.constantFrom(null, 1, 2, 3),
      currency: fc.constantFrom('RUB', 'USD'),
      accountId: fc.constantFrom('a', 'b'),
      test: fc.boolean(),
    })
    .map((given) => ({
      ...given,
      authorizedMinor: given.status === 'waiting_for_capture' ? given.amountMinor : 0,
      capturedMinor: Math.min(given.capturedMinor, given.amountMinor),
    }));
  const said = fc
    .record({
      id: fc.constantFrom('a', 'b'),
      status: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...serviceStatuses) }, fc.string()),
      amountMinor: fc.nat(4),
      refundedMinor: fc.nat(4),
      currency: fc.constantFrom('RUB', 'USD'),
      accountId: fc.constantFrom(null, 'a', 'b'),
      test: fc.constantFrom(null, true, false),
    })
    .map(object);
  const forAll = (check: (given: Expectation, from: ServicePayment, verdict: Verdict) => void) =>
    fc.assert(
      fc.property(known, said, (given, from) => check(given, from, judge(given, from))),
      { numRuns: 2_000 },
    );

  it('no verdict is a move that the table forbids, and none leads out of a final status', () => {
    forAll((given, from, verdict) => {
      if (verdict.kind !== 'move') return;
      expect([canMove(given.status, verdict.to), isFinal(given.status), verdict.to]).toEqual([
        true,
        false,
        from.status,
      ]);
    });
  });

  it('only an object of the same id, currency and store, and of no more money, is applied', () => {
    forAll((given, from, verdict) => {
      if (verdict.kind === 'anomaly') return;
      expect([given.serviceId, null]).toContain(given.serviceId === null ? null : from.id);
      expect(from.currency).toBe(given.currency);
      expect([given.accountId, null]).toContain(from.accountId);
      expect([given.test, null]).toContain(from.test);
      expect(from.amountMinor).toBeLessThanOrEqual(given.amountMinor);
      expect(from.refundedMinor).toBeLessThanOrEqual(from.amountMinor);
    });
  });

  it('an anomaly always says why', () => {
    forAll((_given, _from, verdict) => {
      expect(verdict.kind !== 'anomaly' || verdict.reason.length > 0).toBe(true);
    });
  });
});
