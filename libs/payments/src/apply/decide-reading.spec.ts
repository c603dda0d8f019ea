import {
  draftWith,
  earlier,
  facts,
  heldRow,
  later,
  NOW,
  objectOf,
  operationRow,
  paidRow,
  paymentRow,
  problemRow,
  queuedRow,
  receiptObject,
  receiptRow,
  refundObject,
  refundRow,
  TERMS,
  told,
} from '../../../../test/support/state.js';
import { yookassaProfile } from '../api/yookassa-profile.js';
import { captureBody } from '../operations/request-body.js';
import type { Draft } from '../payment/draft.js';
import { decideReading, type Reading, type ReadingFacts, type ReadingTerms } from './decide-reading.js';

const HOUR_MS = 3_600_000;
const withReceipts = { profile: yookassaProfile };
const decide = (
  before: Draft,
  object: Parameters<typeof objectOf>[0] = {},
  {
    known = {},
    terms = {},
    ...also
  }: Partial<Reading> & { known?: Partial<ReadingFacts>; terms?: Partial<ReadingTerms> } = {},
) =>
  decideReading(before, { object: objectOf(object), cause: 'sweep', evidence: {}, ...also }, facts(known), {
    ...TERMS,
    ...terms,
  });
const listed = (...seen: readonly ReturnType<typeof refundObject>[]) => ({
  listed: seen.map((object) => ({ object, ourId: null, marked: null })),
  lost: [],
  signals: 0,
});

describe('the object of a payment', () => {
  it('moves it since now, with what the object says', () => {
    const { draft, verdict, plan } = decide(draftWith(paymentRow()), {
      status: 'succeeded',
      cardLast4: '4242',
    });
    expect(verdict).toEqual({ kind: 'move', to: 'succeeded' });
    expect(draft.payment).toMatchObject({
      status: 'succeeded',
      capturedMinor: 10_000,
      cardLast4: '4242',
      updatedAt: NOW,
    });
    expect(draft.events).toMatchObject([
      {
        name: 'payment.succeeded',
        from: 'pending',
        to: 'succeeded',
        evidence: { serviceStatus: 'succeeded' },
      },
    ]);
    expect(plan).toEqual({ at: null, checks: 0 });
  });

  it('is looked at again after longer and longer pauses while nothing is new', () => {
    const plans = [0, 1, 2].map(
      (checks) => decide(draftWith(paymentRow(), { queued: queuedRow({ checks }) })).plan,
    );
    expect(plans).toEqual([
      { at: later(10_000), checks: 1 },
      { at: later(20_000), checks: 2 },
      { at: later(30_000), checks: 3 },
    ]);
    const { plan } = decide(draftWith(paymentRow(), { queued: null }));
    expect(plan).toEqual({ at: later(10_000), checks: 1 });
  });

  it('tells of a hold that ran out', () => {
    const { draft } = decide(draftWith(heldRow({ holdExpiresAt: NOW })), { status: 'canceled' });
    expect(told(draft)).toEqual(['payment.canceled', 'hold.expired']);
    expect(told(decide(draftWith(heldRow()), { status: 'canceled' }).draft)).toEqual(['payment.canceled']);
  });

  it('that is of another payment by its mark is an anomaly, and changes nothing', () => {
    const before = draftWith(paymentRow());
    const { draft, verdict } = decide(before, { currency: 'USD', status: 'succeeded' });
    expect(verdict).toMatchObject({ kind: 'anomaly' });
    expect([draft.payment, draft.events]).toEqual([before.payment, []]);
  });

  it.each([
    ['does not fit', { status: 'succeeded', currency: 'USD' }],
    ['goes back', { status: 'pending' }],
  ])('that %s leaves a payment given up that would be wanted beside its newer try', (_what, object) => {
    const givenUp = draftWith(heldRow({ supersededAt: earlier(5), holdTries: 2 }));
    const { draft } = decide(givenUp, object, { known: { isKept: true } });
    expect(draft.payment).toEqual(givenUp.payment);
    const { draft: wanted } = decide(givenUp, { status: 'waiting_for_capture' }, { known: { isKept: true } });
    expect(wanted.payment).toMatchObject({ supersededAt: null, holdTries: 0 });
  });

  it('keeps what is due where our own capture took a part, and nothing else did', () => {
    const part = operationRow({ kind: 'capture', ...captureBody(6_000, 'RUB') });
    const others = [
      operationRow({ id: 'create' }),
      operationRow({ id: 'earlier', kind: 'capture', outcome: 'refused' }),
    ];
    const before = draftWith(heldRow({ keepsDue: true }), { operations: [...others, part] });
    const object = { status: 'succeeded', amountMinor: 6_000 };
    expect(decide(before, object).draft.payment).toMatchObject({ capturedMinor: 6_000, keepsDue: true });
    const elsewhere = draftWith(heldRow({ keepsDue: true }));
    expect(decide(elsewhere, object).draft.payment).toMatchObject({ capturedMinor: 6_000, keepsDue: false });
  });

  it('is held against what our capture asked for, unless that can only be looked up', () => {
    const capture = operationRow({ kind: 'capture', ...captureBody(6_000, 'RUB') });
    const object = { status: 'succeeded', amountMinor: 5_000 };
    const { verdict } = decide(draftWith(heldRow(), { operations: [capture] }), object);
    expect(verdict).toMatchObject({ kind: 'anomaly', inDoubt: true });
    const old = { recordedAt: earlier(48 * HOUR_MS), firstSentAt: earlier(48 * HOUR_MS) };
    const spent = decide(draftWith(heldRow(), { operations: [{ ...capture, ...old }] }), object);
    expect(spent.verdict).toEqual({ kind: 'move', to: 'succeeded' });
    const refused = decide(
      draftWith(heldRow(), { operations: [{ ...capture, outcome: 'refused' }] }),
      object,
    );
    expect(refused.verdict).toEqual({ kind: 'move', to: 'succeeded' });
  });
});

describe('the receipt that went with a payment', () => {
  const registering = draftWith(paidRow({ receiptStatus: 'pending', updatedAt: NOW }));

  it.each([
    ['succeeded', ['receipt.succeeded']],
    ['canceled', ['receipt.failed']],
    ['pending', []],
  ] as const)('is reported as the object says: %s', (receiptStatus, names) => {
    const { draft } = decide(registering, { status: 'succeeded', receiptStatus }, { terms: withReceipts });
    expect(told(draft)).toEqual(names);
    expect(draft.payment.receiptStatus).toBe(receiptStatus);
  });

  it('is late after its time', () => {
    const late = draftWith(paidRow({ receiptStatus: 'pending', updatedAt: earlier(HOUR_MS) }));
    expect(told(decide(late, { status: 'succeeded' }, { terms: withReceipts }).draft)).toEqual([
      'receipt.late',
    ]);
  });

  it('that failed is nothing to report before the money moves, and is reported when it does', () => {
    const unpaid = draftWith(paymentRow({ receiptStatus: 'pending', updatedAt: NOW }));
    const { draft } = decide(unpaid, { receiptStatus: 'canceled' }, { terms: withReceipts });
    expect(told(draft)).toEqual([]);
    const failed = draftWith(paymentRow({ receiptStatus: 'canceled' }));
    const paid = decide(failed, { status: 'succeeded', receiptStatus: 'canceled' }, { terms: withReceipts });
    expect(told(paid.draft)).toEqual(['payment.succeeded', 'receipt.failed']);
  });

  it('is not needed where the money was never taken, nor where a hold is let go whose receipt failed', () => {
    const problems = [problemRow({ status: 'pending' })];
    const unpaid = draftWith(paymentRow({ receiptStatus: 'pending' }), { problems });
    expect(told(decide(unpaid, { status: 'canceled' }, { terms: withReceipts }).draft)).toEqual([
      'payment.canceled',
      'receipt.not_needed',
    ]);
    const failed = draftWith(heldRow({ receiptStatus: 'canceled' }), {
      problems: [problemRow({ status: 'canceled' })],
    });
    expect(told(decide(failed, { status: 'canceled' }, { terms: withReceipts }).draft)).toEqual([
      'payment.canceled',
      'receipt.not_needed',
    ]);
  });

  it('says nothing where the object does not fit', () => {
    const { draft } = decide(registering, {
      status: 'succeeded',
      currency: 'USD',
      receiptStatus: 'canceled',
    });
    expect(told(draft)).toEqual([]);
  });
});

describe('receipts that were sent by themselves', () => {
  const open = receiptRow({ status: 'pending' });

  it('keep a payment that is over in the queue while they are registered, where the service has receipts', () => {
    const before = draftWith(paidRow(), { receipts: [open] });
    const object = { status: 'succeeded' };
    expect(decide(before, object, { terms: withReceipts }).plan.at).not.toBeNull();
    expect(decide(before, object).plan.at).toBeNull();
    const over = draftWith(paidRow(), { receipts: [receiptRow({ status: 'succeeded' })] });
    expect(decide(over, object, { terms: withReceipts }).plan.at).toBeNull();
  });

  it('are as the re-read has them', () => {
    const operation = operationRow({ kind: 'receipt', receiptId: open.id, outcome: 'confirmed' });
    const before = draftWith(paidRow(), { receipts: [open], operations: [operation] });
    const receipts = [{ receiptId: open.id, object: receiptObject({ status: 'succeeded' }), attempts: null }];
    const { draft } = decide(before, { status: 'succeeded' }, { receipts, terms: withReceipts });
    expect(draft.receipts).toMatchObject([{ status: 'succeeded' }]);
  });

  it('that never arrived are told to a person, and those that take too long as well', () => {
    const sent = receiptRow({ updatedAt: earlier(2 * HOUR_MS) });
    const operation = operationRow({ kind: 'receipt', receiptId: sent.id });
    const before = draftWith(paidRow(), { receipts: [sent], operations: [operation] });
    const receipts = [{ receiptId: sent.id, object: null, attempts: 1 }];
    const { draft } = decide(before, { status: 'succeeded' }, { receipts, terms: withReceipts });
    expect(told(draft)).toEqual(['receipt.failed', 'payment.anomaly']);
    expect(draft.events).toMatchObject([{ cause: 'sweep' }, { cause: 'sweep' }]);
    expect(draft.operations).toMatchObject([{ outcome: 'refused' }]);
    expect(told(decide(before, { status: 'succeeded' }, { terms: withReceipts }).draft)).toEqual([
      'receipt.late',
    ]);
    expect(told(decide(before, { status: 'succeeded' }).draft)).toEqual([]);
  });
});

describe('refunds', () => {
  const paid = draftWith(paidRow());

  it('that were made elsewhere are recorded by their list', () => {
    const { draft, plan } = decide(
      paid,
      { status: 'succeeded', refundedMinor: 3_000 },
      { refunds: listed(refundObject()) },
    );
    expect(draft.refunds).toMatchObject([{ serviceId: 'rf-1', status: 'succeeded', refundKey: null }]);
    expect(draft.payment.refundedMinor).toBe(3_000);
    expect(plan.at).toBeNull();
  });

  it('that the object counts and no list shows keep the payment in the queue, and a person is told after three looks', () => {
    const object = { status: 'succeeded', refundedMinor: 3_000 };
    const looks = [1, 2, 3].map((checks) =>
      decide(draftWith(paidRow(), { queued: queuedRow({ checks }) }), object, { refunds: listed() }),
    );
    expect(looks.map(({ draft }) => told(draft))).toEqual([[], ['payment.anomaly'], ['payment.anomaly']]);
    for (const { plan } of looks) expect(plan.at).not.toBeNull();
    const [, second] = looks;
    expect(second?.draft.events).toMatchObject([
      {
        cause: 'sweep',
        evidence: {
          reason: 'the service reports 30.00 as refunded, and the refunds add up to 0.00',
          serviceStatus: 'succeeded',
        },
      },
    ]);
    expect(told(decide(paid, object).draft)).toEqual([]);
  });

  it('on their way are no difference, whether the service counts them already or not', () => {
    const pending = refundRow({ status: 'pending', serviceId: 'rf-1' });
    const before = draftWith(paidRow({ refundReservedMinor: 3_000 }), {
      refunds: [pending],
      queued: queuedRow({ checks: 9 }),
    });
    const list = listed(refundObject({ status: 'pending' }));
    for (const refundedMinor of [0, 3_000])
      expect(told(decide(before, { status: 'succeeded', refundedMinor }, { refunds: list }).draft)).toEqual(
        [],
      );
    const more = decide(before, { status: 'succeeded', refundedMinor: 3_001 }, { refunds: list });
    expect(told(more.draft)).toEqual(['payment.anomaly']);
    expect(more.plan.at).not.toBeNull();
  });

  it('without an answer that the list does not show are a difference where the service counts more', () => {
    const submitting = refundRow();
    const before = draftWith(paidRow({ refundReservedMinor: 3_000 }), {
      refunds: [submitting],
      queued: queuedRow({ checks: 9 }),
    });
    const object = { status: 'succeeded', refundedMinor: 3_000 };
    expect(told(decide(before, object, { refunds: listed() }).draft)).toEqual(['payment.anomaly']);
    expect(told(decide(before, object).draft)).toEqual([]);
  });

  it('are asked for once more where that was requested meanwhile', () => {
    const before = draftWith(paidRow(), { queued: queuedRow({ refundSignals: 1 }) });
    const object = { status: 'succeeded' };
    expect(decide(before, object, { refunds: { ...listed(), signals: 0 } }).plan.at).not.toBeNull();
    expect(decide(before, object, { refunds: { ...listed(), signals: 1 } }).plan.at).toBeNull();
  });

  it('say nothing of a payment that does not fit', () => {
    const object = { status: 'succeeded', currency: 'USD', refundedMinor: 3_000 };
    expect(decide(paid, object, { refunds: listed(refundObject()) }).draft.refunds).toEqual([]);
  });
});

describe('the receipt of a payment', () => {
  const problems = [problemRow({ status: 'canceled' })];
  const reported = (
    ...[payment, object]: [Parameters<typeof paymentRow>[0], Parameters<typeof objectOf>[0]]
  ) => told(decide(draftWith(paymentRow(payment), { problems }), object, { terms: withReceipts }).draft);
  const held = heldRow();

  it.each<[string, Parameters<typeof paymentRow>[0], Parameters<typeof objectOf>[0], string[]]>([
    ['has none', {}, { status: 'canceled' }, ['payment.canceled']],
    [
      'was held and let go, and its registration goes on',
      { ...held, receiptStatus: 'pending' },
      { status: 'canceled' },
      ['payment.canceled'],
    ],
    [
      'was let go before',
      { ...held, status: 'canceled', receiptStatus: 'canceled' },
      { status: 'canceled' },
      [],
    ],
    [
      'was held and is taken',
      { ...held, receiptStatus: 'canceled' },
      { status: 'succeeded' },
      ['payment.succeeded'],
    ],
  ])('keeps its problem where the payment %s', (_what, payment, object, names) => {
    expect(reported(payment, object)).toEqual(names);
  });

  it.each<[string, Parameters<typeof paymentRow>[0], Parameters<typeof objectOf>[0], string[]]>([
    ['is registered before anything is paid', {}, { receiptStatus: 'succeeded' }, ['receipt.succeeded']],
    [
      'was registered before, and its payment is paid now',
      { receiptStatus: 'succeeded' },
      { status: 'succeeded', receiptStatus: 'succeeded' },
      ['payment.succeeded'],
    ],
    [
      'is registered though nothing was ever paid',
      { status: 'canceled', receiptStatus: 'pending' },
      { status: 'canceled', receiptStatus: 'succeeded' },
      ['receipt.succeeded'],
    ],
    [
      'is late though nothing was ever paid',
      { status: 'canceled', receiptStatus: 'pending' },
      { status: 'canceled', receiptStatus: 'pending' },
      [],
    ],
  ])('that %s is told so far', (_what, payment, object, names) => {
    const before = draftWith(paymentRow({ updatedAt: earlier(2 * HOUR_MS), ...payment }));
    expect(told(decide(before, object, { terms: withReceipts }).draft)).toEqual(names);
  });
});

describe('a look', () => {
  it('by a buyer who reloads counts where it contradicts what is known', () => {
    const before = draftWith(heldRow());
    expect(decide(before, { status: 'waiting_for_capture' }, { cause: 'refresh' }).plan.checks).toBe(3);
    expect(decide(before, { status: 'pending' }, { cause: 'refresh' }).plan.checks).toBe(4);
  });

  it('at a payment that is not paid applies no refund', () => {
    expect(decide(draftWith(paymentRow()), {}, { refunds: listed(refundObject()) }).draft.refunds).toEqual(
      [],
    );
  });

  it('goes on while one of two receipts is registered, and is told of none that was answered', () => {
    const receipts = [
      receiptRow({ id: 'over', status: 'succeeded', updatedAt: earlier(2 * HOUR_MS) }),
      receiptRow({ id: 'open', status: 'pending', updatedAt: earlier(2 * HOUR_MS) }),
    ];
    const { draft, plan } = decide(
      draftWith(paidRow(), { receipts }),
      { status: 'succeeded' },
      { terms: withReceipts },
    );
    expect(plan.at).not.toBeNull();
    expect(told(draft)).toEqual([]);
  });

  it('keeps what is due where our own capture took effect, however long ago', () => {
    const old = { recordedAt: earlier(48 * HOUR_MS), firstSentAt: earlier(48 * HOUR_MS) };
    const part = operationRow({ kind: 'capture', ...old, ...captureBody(6_000, 'RUB') });
    const before = draftWith(heldRow({ keepsDue: true }), { operations: [part] });
    expect(decide(before, { status: 'succeeded', amountMinor: 6_000 }).draft.payment).toMatchObject({
      keepsDue: true,
    });
  });
});

describe('refunds that were made', () => {
  it('are no longer on their way while their receipts are', () => {
    const made = refundRow({
      status: 'succeeded',
      serviceId: 'rf-1',
      receiptStatus: 'pending',
      updatedAt: NOW,
    });
    const before = draftWith(paidRow({ refundedMinor: 3_000 }), {
      refunds: [made],
      queued: queuedRow({ checks: 9 }),
    });
    const list = listed(refundObject());
    const object = { status: 'succeeded', refundedMinor: 6_000 };
    expect(told(decide(before, object, { refunds: list }).draft)).toEqual(['payment.anomaly']);
  });
});
