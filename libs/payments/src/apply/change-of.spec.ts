import { paymentRow } from '../../../../test/support/state.js';
import { parseServicePayment } from '../api/service-payment.js';
import { yookassaProfile } from '../api/yookassa-profile.js';
import type { PaymentRow } from '../schema/rows.js';
import { changeOf } from './change-of.js';

const HOUR_MS = 3_600_000;
const createdAt = new Date('2030-01-01T00:00:00.000Z');
const after = (hours: number) => new Date(createdAt.getTime() + hours * HOUR_MS);

const payment = (fields: Partial<PaymentRow> = {}): PaymentRow =>
  paymentRow({
    amountMinor: 500_000,
    capture: false,
    method: null,
    confirmation: { type: 'redirect', url: 'https://service.example/' },
    test: null,
    createdAt,
    ...fields,
  });

const read = (fields: object) =>
  parseServicePayment({
    id: 'service-1',
    status: 'waiting_for_capture',
    amount: { value: '5000.00', currency: 'RUB' },
    ...fields,
  });

function changed(fields: Partial<PaymentRow>, said: object, foundAfterHours = 1) {
  const object = read(said);
  if (!object) throw new Error('It is a payment.');
  const { status } = object;
  if (status !== 'waiting_for_capture' && status !== 'succeeded') throw new Error('It is paid.');
  const terms = {
    now: after(foundAfterHours),
    holdLeadTimeMs: 24 * HOUR_MS,
    unsettledAfterMs: 48 * HOUR_MS,
    profile: yookassaProfile,
  };
  return changeOf(payment(fields), object, { status, ...terms });
}

describe('a hold that is found', () => {
  const by = (type: string) => ({ payment_method: { type } });

  it.each<[string, Partial<PaymentRow>, object, number]>([
    ['has a quarter of its time left', {}, { ...by('cash'), expires_at: after(5).toISOString() }, 4],
    ['without an end has that of its method', {}, by('cash'), 1 + 5 * 0.75],
    ['without an end has that of the method requested', { method: 'sber_loan' }, {}, 1 + 0.75],
    ['without an end, of a method chosen in place of it', { method: 'bank_card' }, by('cash'), 1 + 5 * 0.75],
    ['without an end, of an unknown method, is at once', {}, by('hologram'), 1],
    ['without an end, of a method that nobody knows, is at once', {}, {}, 1],
  ])('is due %s', (_name, fields, said, hours) => {
    expect(changed(fields, said).holdDueAt).toEqual(after(hours));
  });

  it.each([
    ['further ahead than any hold lasts', after(32 * 24).toISOString()],
    ['beyond what PostgreSQL stores', '+275760-09-13T00:00:00.000Z'],
    ['before what PostgreSQL stores', '-271821-04-20T00:00:00.000Z'],
  ])('has the end of its method where the service names one %s', (_name, expires_at) => {
    const change = changed({}, { ...by('cash'), expires_at });
    expect(change).toMatchObject({ holdExpiresAt: null, holdDueAt: after(1 + 5 * 0.75) });
    // What was believed before stays.
    expect(changed({ holdExpiresAt: after(5) }, { ...by('cash'), expires_at }).holdExpiresAt).toEqual(
      after(5),
    );
  });

  it.each<[string, Partial<PaymentRow>, number]>([
    ['as planned', { holdDueAt: after(80) }, 80],
    ['at its next try', { holdDueAt: after(95) }, 95],
    ["not before the service's end allows, whatever its row says", { holdDueAt: after(-1) }, 76],
    ['when it was superseded', { holdDueAt: after(3), supersededAt: after(3) }, 3],
  ])('before is due %s', (_name, fields, hours) => {
    const held = { status: 'waiting_for_capture', holdExpiresAt: after(100) } as const;
    expect(changed({ ...held, ...fields }, { expires_at: after(100).toISOString() }).holdDueAt).toEqual(
      after(hours),
    );
  });

  it('is due at once where it may be over', () => {
    expect(changed({}, by('sber_loan'), 3).holdDueAt).toEqual(after(3));
  });
});

describe('what is paid', () => {
  const lowered = {
    amount: { value: '4850.00', currency: 'RUB' },
    payment_method: { type: 'sber_loan', discount_amount: { value: '150.00', currency: 'RUB' } },
  };
  const succeeded = { status: 'succeeded' };
  const part = { amount: { value: '3000.00', currency: 'RUB' } };

  it.each<[string, Partial<PaymentRow>, object, number, number]>([
    ['is what was held', {}, {}, 500_000, 0],
    ['is what was held after a discount', {}, lowered, 485_000, 0],
    ['is all', { capture: true }, succeeded, 500_000, 500_000],
    ['is all after a discount', { capture: true }, { ...lowered, ...succeeded }, 485_000, 485_000],
    ['is captured in part', { authorizedMinor: 500_000 }, { ...succeeded, ...part }, 500_000, 300_000],
    ['is captured in part, never seen held', {}, { ...succeeded, ...part }, 500_000, 300_000],
    [
      'is captured in part after a discount, never seen held',
      {},
      { ...lowered, ...succeeded, ...part },
      485_000,
      300_000,
    ],
  ])('%s', (_name, fields, said, authorizedMinor, capturedMinor) => {
    expect(changed(fields, said)).toMatchObject({ authorizedMinor, capturedMinor });
  });

  it('has nothing more to confirm', () => {
    expect(changed({}, {}).confirmation).toBeNull();
  });
});

describe('a prepayment that is paid', () => {
  const paid = { status: 'succeeded' };

  it('is to be settled from then on, and its host is told after the term', () => {
    expect(changed({ capture: true, prepaidMinor: 300_000 }, paid, 2)).toMatchObject({
      unsettledMinor: 300_000,
      unsettledSince: after(2),
      unsettledDueAt: after(50),
    });
  });

  it('is not, where nothing was prepaid; and is never begun anew', () => {
    expect(changed({ capture: true }, paid)).not.toHaveProperty('unsettledSince');
    const known = { status: 'succeeded', prepaidMinor: 300_000, capturedMinor: 500_000 } as const;
    expect(changed(known, paid)).not.toHaveProperty('unsettledSince');
  });
});

describe('a hold that is held already', () => {
  const held = {
    status: 'waiting_for_capture',
    holdExpiresAt: after(100),
    holdDueAt: after(80),
    holdTries: 2,
  } as const;
  const until = (hours: number) => ({ expires_at: after(hours).toISOString() });

  it.each<[string, Partial<PaymentRow>, object, Partial<PaymentRow>]>([
    ['as planned, after as many tries', {}, until(100), { holdDueAt: after(80), holdTries: 2 }],
    [
      'as planned, just when the end allows',
      { holdDueAt: after(76) },
      until(100),
      { holdDueAt: after(76), holdTries: 2 },
    ],
    [
      'anew if its end is another one',
      {},
      until(50),
      { holdExpiresAt: after(50), holdDueAt: after(37.75), holdTries: 0 },
    ],
    ['never where a person has it', { holdDueAt: null }, until(100), { holdDueAt: null, holdTries: 2 }],
  ])('is due %s', (_when, fields, said, changes) => {
    expect(changed({ ...held, ...fields }, said)).toMatchObject(changes);
  });

  it('is due at once where it is found, given up before', () => {
    expect(changed({ supersededAt: createdAt }, until(100)).holdDueAt).toEqual(after(1));
  });

  it('is due no more once it is paid', () => {
    expect(
      changed({ ...held, authorizedMinor: 500_000 }, { status: 'succeeded', ...until(100) }).holdDueAt,
    ).toBeNull();
  });
});

describe('what the object says', () => {
  it('is taken over, and what it says nothing of stays', () => {
    const cancellation_details = { party: 'yoo_money', reason: 'expired_on_capture' };
    expect(changed({}, { test: true, cancellation_details })).toMatchObject({
      test: true,
      cancellation: cancellation_details,
    });
    const known = { test: true, cancellation: { party: 'merchant', reason: 'canceled_by_merchant' } };
    expect(changed(known, {})).toMatchObject(known);
  });

  it.each(['pending', 'canceled'] as const)('is that nothing was paid while it is %s', (status) => {
    const object = read({ status });
    const terms = { now: createdAt, holdLeadTimeMs: 0, unsettledAfterMs: 0, profile: yookassaProfile };
    expect(object && changeOf(payment({ capture: true }), object, { status, ...terms })).toMatchObject({
      authorizedMinor: 0,
      capturedMinor: 0,
    });
  });
});
