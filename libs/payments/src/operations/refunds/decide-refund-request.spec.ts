import {
  draftWith,
  earlier,
  later,
  NOW,
  operationRow,
  paidRow,
  paymentRow,
  refundRow,
  TERMS,
  told,
} from '../../../../../test/support/state.js';
import { yookassaProfile } from '../../api/yookassa-profile.js';
import {
  PaymentInputError,
  PaymentNotRefundableError,
  PaymentWhollyRefundedError,
  RecoveryInProgressError,
  RefundAmountExceededError,
  RefundKeyReusedError,
  RefundWindowClosedError,
} from '../../common/payments.errors.js';
import type { Draft } from '../../payment/draft.js';
import type { RefundRequest } from '../../payment/refunds/decide-refund.js';
import { readRefundMark } from '../../payment/refunds/refund-mark.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import type { PaymentRow } from '../../schema/rows.js';
import type { RequestTerms } from '../request-terms.js';
import { decideRefundRequest } from './decide-refund-request.js';

const caller = { leaseMs: 60_000, callDeadlineMs: 30_000 };
const ask = (fields: Partial<RefundRequest> = {}): RefundRequest => ({
  refundKey: 'one',
  amountMinor: 3_000,
  description: null,
  metadata: {},
  receipt: null,
  receiptOf: null,
  lines: null,
  extra: {},
  ...fields,
});
const terms = (fields: Partial<RequestTerms> = {}): RequestTerms => ({
  profile: TERMS.profile,
  fiscalization: null,
  isLetIn: () => true,
  mayHaveBeenSent: () => false,
  caller,
  ...fields,
});
const decide = (before: Draft, request: RefundRequest = ask(), fields: Partial<RequestTerms> = {}) =>
  decideRefundRequest(before, request, terms(fields));
const paid = draftWith(paidRow());
const bodyOf = (asked: ReturnType<typeof decide>): Record<string, unknown> =>
  JSON.parse(asked.operation.body);
const refundedOnce = (): Draft => decide(paid).draft ?? paid;

const cups: ReceiptInput = {
  customer: { email: 'anna@buyer.example' },
  items: [{ description: 'Cup', amount: { value: '30.00', currency: 'RUB' }, quantity: 1, vatCode: 11 }],
};

describe('a refund that is asked for', () => {
  it('reserves its money, and is sent by its caller', () => {
    const { refund, operation, draft, isAnew } = decide(
      paid,
      ask({ description: 'late', metadata: { a: 'b' } }),
    );
    expect(isAnew).toBe(true);
    expect(refund).toMatchObject({
      refundKey: 'one',
      status: 'submitting',
      amountMinor: 3_000,
      whole: false,
      serviceId: null,
      description: 'late',
      metadata: { a: 'b' },
      createdAt: NOW,
    });
    expect(operation).toMatchObject({ kind: 'refund', refundId: refund.id, outcome: 'unknown', attempts: 1 });
    expect(draft).toMatchObject({
      payment: { refundReservedMinor: 3_000, refundedMinor: 0 },
      refunds: [refund],
      operations: [operation],
      wanted: { at: later(30_000), isUrgent: false },
    });
    expect(draft && told(draft)).toEqual(['refund.submitting']);
  });

  it('names the payment of the service, the sum, and a mark by which it is found', () => {
    expect(bodyOf(decide(paid))).toMatchObject({
      payment_id: paid.payment.serviceId,
      amount: { value: '30.00', currency: 'RUB' },
      metadata: { [TERMS.profile.refundMetadataKey ?? '']: expect.any(String) },
    });
  });

  it('gives back all that is left where no sum is said', () => {
    const { refund, draft } = decide(refundedOnce(), ask({ refundKey: 'two', amountMinor: null }));
    expect(refund).toMatchObject({ amountMinor: 7_000, whole: true });
    expect(draft?.payment.refundReservedMinor).toBe(10_000);
  });

  it('is the one that was asked for under its key, whatever has become of it', () => {
    const before = refundedOnce();
    const [refund] = before.refunds;
    const [operation] = before.operations;
    const same = { refund, operation, draft: null, isAnew: false };
    expect(decide(before)).toEqual(same);
    expect(decide(before, ask(), { isLetIn: () => false })).toEqual(same);
    const over = {
      ...before,
      refunds: before.refunds.map((one) => ({ ...one, status: 'canceled' as const })),
    };
    expect(decide(over)).toMatchObject({ draft: null, refund: { status: 'canceled' } });
  });

  it('is the same by the sum that was asked for, where the service gave back another one', () => {
    const before = refundedOnce();
    const given = { ...before, refunds: before.refunds.map((one) => ({ ...one, amountMinor: 2_500 })) };
    expect(decide(given)).toMatchObject({ draft: null, refund: { amountMinor: 2_500 } });
    expect(() => decide(given, ask({ amountMinor: 2_600 }))).toThrow(RefundKeyReusedError);
  });

  it.each<[string, Partial<RefundRequest>]>([
    ['another sum', { amountMinor: 3_001 }],
    ['all that is left', { amountMinor: null }],
    ['another description', { description: 'late' }],
    ['other metadata', { metadata: { a: 'b' } }],
    ['other fields', { extra: { deal: { id: 'deal' } } }],
    ['goods', { receipt: cups }],
  ])('is refused under a key that was used for %s', (_what, fields) => {
    expect(() => decide(refundedOnce(), ask(fields))).toThrow(RefundKeyReusedError);
  });

  it.each<[string, Partial<PaymentRow>, Partial<RefundRequest>, new (...args: never[]) => Error]>([
    ['not paid', paymentRow(), {}, PaymentNotRefundableError],
    ['too old', { createdAt: earlier(4 * 366 * 86_400_000) }, {}, RefundWindowClosedError],
    ['by a method that gives nothing back', { method: 'cash' }, {}, PaymentNotRefundableError],
    ['less than is asked for', {}, { amountMinor: 10_001 }, RefundAmountExceededError],
  ])('is refused of a payment that is %s', (_what, fields, request, refusal) => {
    expect(() => decide(draftWith(paidRow(fields)), ask(request), { profile: yookassaProfile })).toThrow(
      refusal,
    );
  });

  it('is refused once all of it was given back', () => {
    const refunds = [refundRow({ status: 'succeeded', amountMinor: 10_000 })];
    expect(() => decide(draftWith(paidRow({ refundedMinor: 10_000 }), { refunds }))).toThrow(
      PaymentWhollyRefundedError,
    );
  });

  it('waits where the database may have forgotten others, but for a key that was used for another one', () => {
    const shut = { isLetIn: () => false };
    expect(() => decide(paid, ask(), shut)).toThrow(RecoveryInProgressError);
    expect(() => decide(draftWith(paymentRow()), ask(), shut)).toThrow(RecoveryInProgressError);
    expect(() => decide(refundedOnce(), ask({ amountMinor: 1 }), shut)).toThrow(RefundKeyReusedError);
  });

  it('is sent by the sweep where nobody waits for it', () => {
    const { operation, draft } = decide(paid, ask(), { caller: null });
    expect(operation).toMatchObject({ outcome: null, attempts: 0 });
    expect(draft?.wanted).toMatchObject({ at: NOW, isUrgent: true });
  });

  it('says the goods of its receipt, which must add up', () => {
    expect(bodyOf(decide(paid, ask({ receipt: cups })))).toHaveProperty('receipt');
    expect(() => decide(paid, ask({ amountMinor: 3_001, receipt: cups }))).toThrow(PaymentInputError);
    const fiscalization = {
      register: 'third_party',
      scenario: 'with_payment',
      requireReceipt: true,
    } as const;
    expect(() => decide(paid, ask(), { fiscalization })).toThrow(PaymentInputError);
  });

  it('keeps its receipt until the money has moved, where receipts follow it', () => {
    const after = draftWith(paidRow({ receiptsAfter: true }));
    const asked = decide(after, ask({ receipt: cups }));
    expect(bodyOf(asked)).not.toHaveProperty('receipt');
    expect(asked.draft?.receipts).toMatchObject([
      { status: 'owed', type: 'refund', refundId: asked.refund.id, amountMinor: 3_000 },
    ]);
    expect(decide(after).draft?.receipts).toEqual([]);
  });
});

describe('the goods of a refund', () => {
  const cup = { description: 'Cup', amount: { value: '30.00', currency: 'RUB' }, quantity: 1, vat_code: 11 };
  const plate = { ...cup, description: 'Plate', amount: { value: '70.00', currency: 'RUB' } };
  const create = operationRow({
    outcome: 'confirmed',
    body: JSON.stringify({ receipt: { items: [cup, plate] } }),
    personal: '{"receipt":{"customer":{"email":"anna@buyer.example"}}}',
  });
  const sold = (payment: Partial<PaymentRow> = {}, fields: Partial<Draft> = {}) => ({
    ...draftWith(paidRow({ receiptStatus: 'succeeded', ...payment }), { operations: [create] }),
    ...fields,
  });
  const itemsOf = (asked: ReturnType<typeof decide>) => bodyOf(asked)['receipt'];
  const receiptOf: ReceiptInput = {
    ...cups,
    items: [
      ...cups.items,
      { description: 'Plate', amount: { value: '70.00', currency: 'RUB' }, quantity: 1, vatCode: 11 },
    ],
  };
  const oneCup = { amountMinor: null, receiptOf, lines: [{ line: 0 }] };

  it('are those of its lines, whose sum is given back', () => {
    const asked = decide(sold(), ask(oneCup));
    expect(asked.refund).toMatchObject({ amountMinor: 3_000, whole: false });
    expect(itemsOf(asked)).toMatchObject({ items: [{ description: 'Cup' }] });
    const before = asked.draft ?? paid;
    expect(decide(before, ask(oneCup))).toMatchObject({
      draft: null,
      refund: { id: asked.refund.id },
    });
    expect(() => decide(before, ask({ ...oneCup, refundKey: 'two' }))).toThrow(PaymentInputError);
    const other = { ...oneCup, refundKey: 'two', lines: [{ line: 1 }] };
    expect(decide(before, ask(other)).refund).toMatchObject({ amountMinor: 7_000 });
    const refunds = [refundRow({ status: 'succeeded', amountMinor: 10_000 })];
    expect(() => decide(sold({}, { refunds }), ask(oneCup))).toThrow(PaymentWhollyRefundedError);
    const shared = [
      refundRow({ refundKey: 'a', amountMinor: 4_000 }),
      refundRow({ id: 'b', refundKey: 'b', status: 'succeeded', amountMinor: 6_000 }),
    ];
    expect(() => decide(sold({}, { refunds: shared }), ask(oneCup))).toThrow(RefundAmountExceededError);
  });

  it('are made of the receipt that they are of, for its sum', () => {
    const part = decide(sold({}, { operations: [] }), ask({ receiptOf }));
    expect(itemsOf(part)).toMatchObject({
      items: [{ amount: { value: '9.00' } }, { amount: { value: '21.00' } }],
    });
    const whole = decide(sold({}, { operations: [] }), ask({ amountMinor: 10_000, receiptOf }));
    expect(bodyOf(whole)).not.toHaveProperty('receipt');
    const afterwards = sold({ receiptsAfter: true, receiptDigest: 'digest', receiptStatus: null });
    const owed = decide(afterwards, ask({ amountMinor: 10_000, receiptOf })).draft?.receipts;
    expect(owed?.[0]?.body).toContain('Plate');
  });

  it('are made for what is left where all of that is given back', () => {
    const once = decide(sold(), ask({ receipt: cups })).draft ?? paid;
    const rest = decide(once, ask({ refundKey: 'two', amountMinor: null }));
    expect(rest.refund).toMatchObject({ amountMinor: 7_000, whole: true });
    expect(itemsOf(rest)).toMatchObject({ items: [{ description: 'Plate' }] });
  });

  it('are said by nobody where the whole payment is given back, and none is asked for', () => {
    expect(bodyOf(decide(sold(), ask({ amountMinor: null })))).not.toHaveProperty('receipt');
    const asked = decide(sold({ receiptStatus: null }, { operations: [] }), ask({ amountMinor: 3_000 }));
    expect(bodyOf(asked)).not.toHaveProperty('receipt');
  });

  it('are no more than what was sold', () => {
    const twice: ReceiptInput = {
      ...cups,
      items: [{ description: 'Cup', amount: { value: '30.00', currency: 'RUB' }, quantity: 2, vatCode: 11 }],
    };
    expect(() => decide(sold(), ask({ amountMinor: 6_000, receipt: twice }))).toThrow(PaymentInputError);
  });

  it('are repeated of the whole payment once its money has moved, where receipts follow it', () => {
    const whole = decide(
      sold({ receiptsAfter: true, receiptDigest: 'digest', receiptStatus: null }),
      ask({ amountMinor: 10_000 }),
    );
    expect(whole.refund.amountMinor).toBe(10_000);
    expect(bodyOf(whole)).not.toHaveProperty('receipt');
  });
});

describe('a refund that is recorded', () => {
  it('is told with its cause, and is found by its mark', () => {
    const { draft, operation, refund } = decide(paid, ask({ amountMinor: null }));
    expect(draft?.events).toMatchObject([
      { name: 'refund.submitting', cause: 'refund', evidence: { refundId: refund.id } },
    ]);
    const body: { metadata: Record<string, string> } = JSON.parse(operation.body);
    const mark = body.metadata[TERMS.profile.refundMetadataKey];
    expect(readRefundMark(paid.payment, mark)).toMatchObject({ refundKey: 'one', whole: true });
  });

  it('has its own operation', () => {
    const before = refundedOnce();
    const others = [
      operationRow({ id: 'create' }),
      operationRow({ id: 'other', kind: 'refund', refundId: 'other' }),
    ];
    const beside = { ...before, operations: [...others, ...before.operations] };
    expect(decide(beside)).toMatchObject({ operation: before.operations[0] });
    expect(() => decide({ ...before, operations: others })).toThrow(/There is no operation of refund/);
  });

  it('is of a payment that the service knows', () => {
    expect(() => decide(draftWith(paidRow({ serviceId: null })))).toThrow(
      /succeeded without an id of the service/,
    );
  });

  it('is refused by the name of its method', () => {
    const cash = draftWith(paidRow({ method: 'cash' }));
    expect(() => decide(cash, ask(), { profile: yookassaProfile })).toThrow(
      yookassaProfile.methods['cash']?.title ?? 'cash',
    );
  });
});
