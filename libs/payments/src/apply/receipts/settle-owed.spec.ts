import {
  draftWith,
  later,
  NOW,
  operationRow,
  paidRow,
  paymentRow,
  problemRow,
  receiptRow,
  refundRow,
  told,
} from '../../../../../test/support/state.js';
import { IN_FLIGHT_MS } from '../../api/limits.js';
import type { State } from '../../payment/state.js';
import { owedBody } from '../../receipts/owed-body.js';
import { owedKeys } from '../../receipts/owed-keys.js';
import type { PaymentRow } from '../../schema/rows.js';
import { settleReceipts } from './settle-owed.js';

const TERMS = { profile: { receipts: true }, unsettledAfterMs: 30 * 86_400_000 };
const rub = (value: string) => ({ value, currency: 'RUB' as const });
const cups = owedBody('payment', {
  customer: { email: 'anna@buyer.example' },
  items: [{ description: 'Cup', amount: rub('100.00'), quantity: 1, vatCode: 11 }],
});
const said = { body: JSON.stringify(cups), personal: '{}' };
const owed = receiptRow({ status: 'owed', receiptKey: owedKeys.payment, ...said });
const registered = receiptRow({ status: 'succeeded', receiptKey: owedKeys.payment });
const ofRegistered = operationRow({
  kind: 'receipt',
  receiptId: registered.id,
  outcome: 'confirmed',
  ...said,
});
const after = { receiptsAfter: true, receiptDigest: 'digest' };
const paid = (fields: Partial<State> = {}, payment: Partial<PaymentRow> = {}) =>
  draftWith(paidRow({ ...after, ...payment }), fields);
const settle = (draft: ReturnType<typeof paid>) => settleReceipts(draft, 'sweep', TERMS);

describe('receipts that follow the money', () => {
  it('are sent by the sweep once it has moved', () => {
    const draft = settle(paid({ receipts: [owed] }));
    expect(draft.receipts).toMatchObject([{ id: owed.id, status: 'submitting', body: null, personal: null }]);
    expect(draft.operations).toMatchObject([
      { kind: 'receipt', receiptId: owed.id, outcome: null, attempts: 0, personal: '{}' },
    ]);
    expect(JSON.parse(draft.operations[0]?.body ?? '')).toMatchObject({
      type: 'payment',
      payment_id: draft.payment.serviceId,
    });
    expect(draft.wanted).toMatchObject({ at: NOW, isUrgent: true });
  });

  it('wait while it has not, and are dropped where it never will', () => {
    const pending = draftWith(paymentRow(after), { receipts: [owed] });
    expect(settle(pending).receipts).toEqual([owed]);
    const canceled = draftWith(paymentRow({ ...after, status: 'canceled' }), { receipts: [owed] });
    expect(settle(canceled)).toMatchObject({ receipts: [{ status: 'void' }], operations: [], wanted: null });
  });

  it('say the part that was captured, under the next key', () => {
    const held = draftWith(
      paymentRow({ ...after, status: 'waiting_for_capture', capture: false, authorizedMinor: 9_000 }),
      { receipts: [owed] },
    );
    const draft = settle(held);
    expect(
      draft.receipts.map(({ status, amountMinor, receiptKey }) => [status, amountMinor, receiptKey]),
    ).toEqual([
      ['void', 10_000, owedKeys.payment],
      ['submitting', 9_000, `${owedKeys.payment}~2`],
    ]);
    expect(draft.operations).toMatchObject([{ receiptId: draft.receipts[1]?.id }]);
    expect(draft.operations[0]?.body).toContain('90.00');
  });

  it('are missing where what was said makes no such sum', () => {
    const odd = { ...owed, body: JSON.stringify({ ...cups, items: [] }) };
    const held = draftWith(paymentRow({ ...after, status: 'waiting_for_capture', authorizedMinor: 9_000 }), {
      receipts: [odd],
    });
    const draft = settle(held);
    expect(draft.receipts).toMatchObject([{ status: 'void' }]);
    expect(told(draft)).toEqual(['receipt.failed']);
    expect(draft.problems).toMatchObject([{ status: 'missing', isOpen: true }]);
  });

  it('are taken back with a hold that is let go', () => {
    const canceled = draftWith(paymentRow({ ...after, status: 'canceled', authorizedMinor: 10_000 }), {
      receipts: [registered],
      operations: [ofRegistered],
    });
    const draft = settle(canceled);
    expect(draft.receipts).toMatchObject([
      registered,
      { type: 'refund', receiptKey: owedKeys.return, status: 'submitting', refundId: null },
    ]);
    expect(JSON.parse(draft.operations[1]?.body ?? '')).toMatchObject({
      type: 'refund',
      payment_id: draft.payment.serviceId,
    });
  });

  it('are given back with a refund of all of it', () => {
    const refund = refundRow({ status: 'succeeded', serviceId: 'rf-1', amountMinor: 10_000 });
    const draft = settle(
      paid(
        { receipts: [registered], operations: [ofRegistered], refunds: [refund] },
        { refundedMinor: 10_000 },
      ),
    );
    expect(draft.receipts[1]).toMatchObject({
      type: 'refund',
      refundId: refund.id,
      receiptKey: owedKeys.refund(refund.id),
    });
    expect(JSON.parse(draft.operations[1]?.body ?? '')).toMatchObject({ refund_id: 'rf-1' });
  });

  it('that cannot be given back, since the contact is not kept any more, are missing', () => {
    const refund = refundRow({ status: 'succeeded', serviceId: 'rf-1', amountMinor: 10_000 });
    const forgotten = { ...ofRegistered, personal: null };
    const draft = settle(
      paid({ receipts: [registered], operations: [forgotten], refunds: [refund] }, { refundedMinor: 10_000 }),
    );
    expect(draft.receipts).toEqual([registered]);
    expect(draft.problems).toMatchObject([{ status: 'missing', refundId: refund.id }]);
  });

  it('that failed and are not needed any more are closed', () => {
    const failed = receiptRow({ receiptKey: owedKeys.payment, status: 'canceled' });
    const problems = [problemRow({ receiptId: failed.id, status: 'canceled' })];
    const canceled = draftWith(paymentRow({ ...after, status: 'canceled', authorizedMinor: 10_000 }), {
      receipts: [failed],
      problems,
    });
    expect(told(settle(canceled))).toEqual(['receipt.not_needed']);
  });

  it('that nobody has said are missing, unless they may be found at the service', () => {
    expect(told(settle(paid()))).toEqual(['receipt.failed']);
    const waiting = settle(paid({ isRecovering: true }));
    expect(told(waiting)).toEqual([]);
    expect(waiting.wanted).toEqual({ at: later(IN_FLIGHT_MS), isUrgent: false, withRefunds: true });
    const wanted = { at: NOW, isUrgent: true };
    expect(settle({ ...paid({ isRecovering: true }), wanted }).wanted).toEqual({
      ...wanted,
      withRefunds: true,
    });
  });

  it('wait for those alone that may be found, while a recovery looks for them', () => {
    const part = refundRow({ status: 'succeeded', serviceId: 'rf-1' });
    const draft = paid({ receipts: [owed], refunds: [part] }, { refundedMinor: 3_000 });
    const missing = settle(draft);
    expect(missing.receipts).toMatchObject([{ status: 'submitting' }]);
    expect(missing.events).toMatchObject([{ name: 'receipt.failed', evidence: { refundId: part.id } }]);
    const waiting = settle({ ...draft, isRecovering: true });
    expect(waiting.receipts).toMatchObject([{ status: 'submitting' }]);
    expect(told(waiting)).toEqual([]);
    expect(waiting.wanted).toMatchObject({ withRefunds: true });
    const complete = paid({ receipts: [registered], operations: [ofRegistered], isRecovering: true });
    expect(settle(complete).wanted).toBeNull();
  });

  it('are missing where the service has not named their money', () => {
    const unnamed = settle(paid({ receipts: [owed] }, { serviceId: null }));
    expect(unnamed.receipts).toMatchObject([{ status: 'void' }]);
    expect(told(unnamed)).toEqual(['receipt.failed']);
    const refund = refundRow({ status: 'succeeded', serviceId: null, amountMinor: 10_000 });
    const known = { receipts: [registered], operations: [ofRegistered], refunds: [refund] };
    const back = settle(paid(known, { refundedMinor: 10_000 }));
    expect(back.receipts).toEqual([registered]);
    expect(told(back)).toEqual(['receipt.failed']);
  });

  it('are given back by what their own operation says, with their own refund', () => {
    const refund = refundRow({ status: 'succeeded', serviceId: 'rf-2', amountMinor: 10_000 });
    const others = { refunds: [refundRow({ id: 'x', status: 'canceled', serviceId: 'rf-1' }), refund] };
    const before = (operations: State['operations']) =>
      paid({ receipts: [registered], operations, ...others }, { refundedMinor: 10_000 });
    const draft = settle(before([operationRow({ id: 'create' }), ofRegistered]));
    expect(JSON.parse(draft.operations[2]?.body ?? '')).toMatchObject({
      refund_id: 'rf-2',
      items: [{ description: 'Cup' }],
    });
    expect(() => settle(before([]))).toThrow(`There is no operation of receipt ${registered.id}.`);
  });

  it('are not dropped for what cannot be read', () => {
    const held = draftWith(paymentRow({ ...after, status: 'waiting_for_capture', authorizedMinor: 9_000 }), {
      receipts: [{ ...owed, body: '?' }],
    });
    expect(() => settle(held)).toThrow(SyntaxError);
  });

  it('are none where receipts go with the money', () => {
    const draft = paid({ receipts: [owed] }, { receiptsAfter: false });
    expect(settle(draft).receipts).toEqual([owed]);
  });
});

describe('a prepayment', () => {
  it('is followed where the service has receipts', () => {
    const known = { prepaidMinor: 10_000, unsettledMinor: 5_000, unsettledSince: NOW };
    const prepaid = paid({}, { ...known, receiptsAfter: false });
    expect(settle(prepaid).payment.unsettledMinor).toBe(0);
    const elsewhere = settleReceipts(prepaid, 'sweep', { ...TERMS, profile: { receipts: false } });
    expect(elsewhere.payment).toBe(prepaid.payment);
  });
});
