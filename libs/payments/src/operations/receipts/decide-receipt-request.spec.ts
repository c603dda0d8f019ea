import {
  draftWith,
  heldRow,
  later,
  NOW,
  operationRow,
  paidRow,
  paymentRow,
  problemRow,
  receiptRow,
  refundRow,
  SERVICE_ID,
  TERMS,
  told,
} from '../../../../../test/support/state.js';
import { derivedKey } from '../../common/derived.js';
import {
  PaymentInputError,
  ReceiptKeyReusedError,
  ReceiptNotPossibleError,
} from '../../common/payments.errors.js';
import type { Draft } from '../../payment/draft.js';
import { receiptIdOf } from '../../payment/intent-key.js';
import { foundKey } from '../../receipts/owed-keys.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import type { ReceiptRow } from '../../schema/rows.js';
import { recordedBody } from '../personal-data.js';
import type { RequestTerms } from '../request-terms.js';
import { decideReceiptRequest, sendReceiptAgain, type SaidReceipt } from './decide-receipt-request.js';

const caller = { leaseMs: 60_000, callDeadlineMs: 30_000 };
const rub = (value: string) => ({ value, currency: 'RUB' }) as const;
const cup = { description: 'Cup', amount: rub('100.00'), quantity: 1, vat_code: 11 };
const plate = { description: 'Plate', amount: rub('20.00'), quantity: '1', vat_code: 11 };
const settledAs = (type: string, value: string) => ({ type, amount: rub(value) });
const bodyWith = (fields: object = {}) => ({
  type: 'payment',
  customer: { email: 'anna@buyer.example' },
  items: [cup],
  settlements: [settledAs('cashless', '100.00')],
  ...fields,
});
const ask = (fields: Partial<SaidReceipt> = {}, body: object = bodyWith()): SaidReceipt => ({
  receiptKey: 'mine',
  type: 'payment',
  refundId: null,
  amountMinor: 10_000,
  digestOf: (intentKey) => `digest of ${intentKey}`,
  bodyOf: (subject) => recordedBody({ ...body, ...subject }),
  ...fields,
});
const decide = (before: Draft, said = ask(), fields: Partial<RequestTerms> = {}) =>
  decideReceiptRequest(before, said, {
    profile: TERMS.profile,
    fiscalization: null,
    isLetIn: () => true,
    mayHaveBeenSent: () => false,
    caller,
    ...fields,
  });
const paid = draftWith(paidRow());
const sentOf = (receipt: ReceiptRow, body: object = bodyWith()) =>
  operationRow({
    id: `operation of ${receipt.id}`,
    kind: 'receipt',
    receiptId: receipt.id,
    ...recordedBody(body),
  });

describe('a receipt that is asked for', () => {
  it('is recorded with its operation, which its caller sends', () => {
    const { receipt, operation, draft, isAnew } = decide(paid);
    const { payment } = paid;
    expect(receipt).toEqual({
      id: receiptIdOf(payment, 'mine', null),
      storeId: payment.storeId,
      paymentId: payment.id,
      refundId: null,
      receiptKey: 'mine',
      askedDigest: 'digest of intent',
      type: 'payment',
      status: 'submitting',
      amountMinor: 10_000,
      currency: 'RUB',
      body: null,
      personal: null,
      serviceId: null,
      object: null,
      createdAt: NOW,
      updatedAt: NOW,
    });
    expect(operation).toMatchObject({
      kind: 'receipt',
      receiptId: receipt.id,
      outcome: 'unknown',
      attempts: 1,
    });
    expect(JSON.parse(operation.body)).toMatchObject({ payment_id: SERVICE_ID });
    expect(operation.personal).toBe('{"customer":{"email":"anna@buyer.example"}}');
    expect(draft).toMatchObject({
      receipts: [receipt],
      operations: [operation],
      wanted: { at: later(30_000), isUrgent: false },
    });
    expect(isAnew).toBe(false);
  });

  it('is sent by the sweep where it may have been sent before', () => {
    const { operation, draft } = decide(paid, ask(), { mayHaveBeenSent: () => true });
    expect(operation).toMatchObject({ outcome: null, attempts: 0 });
    expect(draft?.wanted).toMatchObject({ at: NOW, isUrgent: true });
  });

  it('is of its refund where it names one', () => {
    const refund = refundRow({ status: 'succeeded', serviceId: 'rf-1', amountMinor: 10_000 });
    const of = ask({ type: 'refund', refundId: refund.id }, bodyWith({ type: 'refund' }));
    const { receipt, operation } = decide(
      draftWith(paidRow(), { refunds: [refundRow({ id: 'x' }), refund] }),
      of,
    );
    expect(receipt).toMatchObject({ refundId: refund.id, type: 'refund' });
    expect(JSON.parse(operation.body)).toMatchObject({ refund_id: 'rf-1' });
    expect(operation.body).not.toContain('payment_id');
  });

  it('is the one that was asked for before, in its last attempt, and nothing is new', () => {
    const first = receiptRow({
      id: 'first',
      receiptKey: 'mine',
      askedDigest: 'digest of intent',
      status: 'rejected',
    });
    const again = { ...first, id: 'again', receiptKey: 'mine~2' };
    const operation = sentOf(again);
    const before = draftWith(paidRow(), { receipts: [first, again], operations: [sentOf(first), operation] });
    expect(decide(before)).toEqual({ receipt: again, operation, draft: null, isAnew: false });
  });

  it('is refused under the key of another one', () => {
    const other = receiptRow({ receiptKey: 'mine', askedDigest: 'digest of another' });
    const before = draftWith(paidRow(), { receipts: [other], operations: [sentOf(other)] });
    expect(() => decide(before)).toThrow(ReceiptKeyReusedError);
  });

  it('has an operation', () => {
    const known = receiptRow({ receiptKey: 'mine', askedDigest: 'digest of intent' });
    expect(() => decide(draftWith(paidRow(), { receipts: [known], operations: [operationRow()] }))).toThrow(
      `There is no operation of receipt ${known.id}.`,
    );
  });
});

describe('the money of a receipt', () => {
  it.each([
    ['payment', 'pending', 'waiting_for_capture or succeeded'],
    ['payment', 'canceled', 'waiting_for_capture or succeeded'],
    ['refund', 'pending', 'canceled or succeeded'],
    ['refund', 'waiting_for_capture', 'canceled or succeeded'],
  ] as const)('does not take one of type %s while it is %s', (type, status, needed) => {
    const before = draftWith(paymentRow({ status }));
    expect(() => decide(before, ask({ type }))).toThrow(
      new ReceiptNotPossibleError(
        before.payment.id,
        `it is ${status}, and a receipt of type ${type} needs it ${needed}`,
      ),
    );
  });

  it.each([
    ['payment', 'what is held', heldRow()],
    ['refund', 'what is paid', paidRow()],
    ['refund', 'what was held and let go', heldRow({ status: 'canceled' })],
  ] as const)('takes one of type %s of %s', (type, _what, payment) => {
    expect(decide(draftWith(payment), ask({ type }, bodyWith({ type }))).receipt).toMatchObject({ type });
  });

  it('has to be known at the service', () => {
    const message = /the service does not know it yet/;
    expect(() => decide(draftWith(paidRow({ serviceId: null })))).toThrow(message);
    const refund = refundRow({ status: 'succeeded', serviceId: null });
    const of = ask({ type: 'refund', refundId: refund.id });
    expect(() => decide(draftWith(paidRow(), { refunds: [refund] }), of)).toThrow(message);
  });

  it('is a refund that there is, and that was made', () => {
    const of = (type: 'refund' | 'payment') => ask({ type, refundId: refundRow().id });
    expect(() => decide(paid, of('refund'))).toThrow(
      new PaymentInputError('refundId', 'must be the id of a refund of this payment'),
    );
    const under = draftWith(paidRow(), { refunds: [refundRow({ status: 'pending', serviceId: 'rf-1' })] });
    expect(() => decide(under, of('payment'))).toThrow(
      new PaymentInputError('type', 'must be refund beside refundId'),
    );
    expect(() => decide(under, of('refund'))).toThrow(
      new ReceiptNotPossibleError(paid.payment.id, `its refund ${refundRow().id} is pending, not succeeded`),
    );
  });

  it('is no less than what all of its receipts say', () => {
    const known = receiptRow({ receiptKey: 'other', status: 'succeeded' });
    const part = bodyWith({ settlements: [settledAs('cashless', '40.00'), settledAs('cashless', '10.00')] });
    const before = draftWith(paidRow(), { receipts: [known], operations: [sentOf(known, part)] });
    const half = bodyWith({ settlements: [settledAs('cashless', '50.00')] });
    expect(decide(before, ask({}, half)).receipt).toMatchObject({ receiptKey: 'mine' });
    const more = bodyWith({ settlements: [settledAs('cashless', '50.01')] });
    expect(() => decide(before, ask({}, more))).toThrow(
      'with those that are sent or kept, 100.01 would be settled as cashless, of 100.00 at most: send the return of the wrong one first',
    );
  });

  it('is counted with what is kept, and with what was offset', () => {
    const kept = receiptRow({ receiptKey: 'other', status: 'owed', body: JSON.stringify(bodyWith()) });
    expect(() => decide(draftWith(paidRow(), { receipts: [kept] }))).toThrow(
      /200.00 would be settled as cashless/,
    );
    const offset = bodyWith({ settlements: [settledAs('prepayment', '100.00')] });
    expect(decide(draftWith(paidRow(), { receipts: [kept] }), ask({}, offset)).draft).not.toBeNull();
    const twice = bodyWith({
      settlements: [settledAs('prepayment', '60.00'), settledAs('prepayment', '60.00')],
    });
    expect(() => decide(paid, ask({}, twice))).toThrow(/120.00 would be settled as prepayment, of 100.00/);
  });

  it.each([
    ['no settlements', {}],
    ['settlements that are no list', { settlements: { 0: settledAs('cashless', '100.00') } }],
    ['a settlement that is none', { settlements: [null, 'cashless'] }],
    ['a settlement without a sum', { settlements: [{ type: 'cashless' }] }],
  ])('is not counted where a recorded receipt has %s', (_what, said) => {
    const known = receiptRow({ receiptKey: 'other', status: 'succeeded' });
    const body = { type: 'payment', items: [cup], ...said };
    const before = draftWith(paidRow(), { receipts: [known], operations: [sentOf(known, body)] });
    expect(decide(before).draft).not.toBeNull();
  });

  it('is not counted where nothing is recorded of a receipt', () => {
    const known = receiptRow({ receiptKey: 'other', status: 'succeeded' });
    expect(decide(draftWith(paidRow(), { receipts: [known] })).draft).not.toBeNull();
  });
});

describe('a receipt that was found without its key', () => {
  const found = receiptRow({
    id: 'found',
    receiptKey: foundKey('rt-1'),
    status: 'succeeded',
    serviceId: 'rt-1',
    object: { id: 'rt-1' },
  });
  const asAnswered = bodyWith({ items: [{ ...cup, quantity: '1.000', agent_type: 'agent' }] });
  const withFound = (
    fields: Partial<ReceiptRow> = {},
    body: object = asAnswered,
    more: Partial<Draft> = {},
  ) => {
    const row = { ...found, ...fields };
    return draftWith(paidRow(), { receipts: [row], operations: [sentOf(row, body)], ...more });
  };

  it('goes on under the key of its caller, with its effects', () => {
    const problem = problemRow({ receiptId: 'found', status: 'canceled' });
    const before = withFound({}, asAnswered, { problems: [problem] });
    const { receipt, operation, draft, isAnew } = decide(before);
    const named = receiptIdOf(before.payment, 'mine', null);
    const said = { serviceId: 'rt-1', object: { id: 'rt-1' }, status: 'succeeded' } as const;
    expect(receipt).toMatchObject({
      id: named,
      receiptKey: 'mine',
      askedDigest: 'digest of intent',
      ...said,
    });
    expect(draft?.receipts).toMatchObject([
      { id: 'found', serviceId: null, status: 'void', updatedAt: NOW },
      { id: named, ...said },
    ]);
    expect(draft && told(draft)).toEqual(['receipt.not_needed', 'receipt.succeeded']);
    expect(draft?.events).toMatchObject([{ cause: 'receipt' }, { cause: 'receipt' }]);
    expect(draft?.problems).toMatchObject([{ isOpen: false }]);
    expect(draft?.operations).toHaveLength(2);
    expect(operation).toMatchObject({
      kind: 'receipt',
      receiptId: named,
      refundId: null,
      outcome: 'confirmed',
      resendable: false,
      settledAt: NOW,
      ...recordedBody(asAnswered),
    });
    expect(operation.idempotenceKey).toBe(`${derivedKey('intent', 'receipt', null, named)}.found`);
    expect(isAnew).toBe(false);
  });

  it.each(['pending', 'canceled'] as const)('goes on as %s', (status) => {
    expect(decide(withFound({ status })).receipt).toMatchObject({ status, serviceId: 'rt-1' });
  });

  it('is on its way where nothing else is known of it', () => {
    expect(decide(withFound({ status: 'submitting', object: null })).receipt).toMatchObject({
      status: 'pending',
    });
  });

  it.each<[string, Partial<ReceiptRow>, object]>([
    ['has another key', { receiptKey: 'other' }, asAnswered],
    ['went on under another key', { status: 'void' }, asAnswered],
    ['is of another type', { type: 'refund' }, asAnswered],
    ['is of a refund', { refundId: 'refund-1' }, asAnswered],
    ['is of another sum', { amountMinor: 9_999 }, asAnswered],
    ['says other goods', {}, bodyWith({ items: [plate] })],
    ['says more of the same', {}, bodyWith({ items: [{ ...cup, quantity: 2, amount: rub('50.00') }] })],
    ['says the same at another price', {}, bodyWith({ items: [{ ...cup, amount: rub('90.00') }] })],
    ['says more goods', {}, bodyWith({ items: [cup, plate] })],
  ])('is another one if it %s', (_how, fields, body) => {
    const before = withFound(fields, { ...body, settlements: [] });
    expect(decide(before).draft?.receipts).toMatchObject([
      { ...fields },
      { receiptKey: 'mine', status: 'submitting' },
    ]);
  });

  it('says its goods in any order', () => {
    const both = (items: object[]) => bodyWith({ items, settlements: [] });
    const before = withFound({}, both([cup, plate]));
    expect(decide(before, ask({}, both([plate, cup]))).receipt).toMatchObject({ serviceId: 'rt-1' });
  });

  it('has an id of the service', () => {
    expect(() => decide(withFound({ serviceId: null }))).toThrow(
      'The receipt found was found without an id of the service.',
    );
  });
});

describe('a receipt that failed', () => {
  const failed = receiptRow({ receiptKey: 'mine', status: 'rejected', askedDigest: 'digest of intent' });
  const before = draftWith(paidRow(), {
    receipts: [failed],
    operations: [sentOf(failed, bodyWith({ payment_id: SERVICE_ID }))],
  });
  const bodyOf = ({ operation }: ReturnType<typeof sendReceiptAgain>): unknown => JSON.parse(operation.body);

  it('is sent again as it was, by the sweep', () => {
    const again = sendReceiptAgain(before, failed, {});
    expect(again.receipt).toMatchObject({
      receiptKey: 'mine~2',
      askedDigest: 'digest of intent',
      type: 'payment',
      refundId: null,
      amountMinor: 10_000,
      status: 'submitting',
    });
    expect(again.operation).toMatchObject({
      outcome: null,
      personal: '{"customer":{"email":"anna@buyer.example"}}',
    });
    expect(bodyOf(again)).toMatchObject({ items: [cup], payment_id: SERVICE_ID });
    expect(again.draft).toMatchObject({
      receipts: [failed, again.receipt],
      wanted: { at: NOW, isUrgent: true },
    });
  });

  it('goes to somebody else, or says something else', () => {
    const moved = sendReceiptAgain(before, failed, { customer: { email: 'boris@buyer.example' } });
    expect(moved.operation.personal).toBe('{"customer":{"email":"boris@buyer.example"}}');
    expect(bodyOf(moved)).toMatchObject({ items: [cup] });
    const receipt: ReceiptInput = {
      customer: { email: 'boris@buyer.example' },
      items: [{ description: 'Plate', amount: rub('100.00'), quantity: 1, vatCode: 11 }],
    };
    const corrected = sendReceiptAgain(before, failed, { receipt });
    expect(corrected.operation.personal).toBe('{"customer":{"email":"boris@buyer.example"}}');
    expect(bodyOf(corrected)).toMatchObject({
      items: [{ description: 'Plate' }],
      settlements: [settledAs('cashless', '100.00')],
    });
  });

  it('needs a contact', () => {
    const erased = { ...before, operations: before.operations.map((one) => ({ ...one, personal: null })) };
    expect(() => sendReceiptAgain(erased, failed, {})).toThrow(
      new PaymentInputError('customer', 'is required: the contact of the receipt is not kept any more'),
    );
  });

  it('needs money that takes it, and that no other receipt is of', () => {
    expect(() => sendReceiptAgain({ ...before, payment: paymentRow() }, failed, {})).toThrow(/it is pending/);
    const other = receiptRow({ id: 'other', receiptKey: 'other', status: 'succeeded' });
    const beside = {
      ...before,
      receipts: [failed, other],
      operations: [...before.operations, sentOf(other)],
    };
    expect(() => sendReceiptAgain(beside, failed, {})).toThrow(/200.00 would be settled/);
  });
});
