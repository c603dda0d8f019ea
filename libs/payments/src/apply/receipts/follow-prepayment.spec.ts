import {
  draftWith,
  earlier,
  later,
  NOW,
  operationRow,
  paidRow,
  PAYMENT_ID,
  paymentRow,
  receiptRow,
  refundRow,
} from '../../../../../test/support/state.js';
import type { Draft } from '../../payment/draft.js';
import type { PaymentRow } from '../../schema/rows.js';
import { followPrepayment } from './follow-prepayment.js';

const TERM_MS = 1_000_000;
const rub = (value: string) => ({ value, currency: 'RUB' });
const item = {
  description: 'Cup',
  amount: rub('100.00'),
  quantity: 1,
  vat_code: 11,
  payment_mode: 'full_prepayment',
};
const create = operationRow({
  outcome: 'confirmed',
  body: JSON.stringify({ receipt: { items: [item] } }),
});
const handedOver = operationRow({
  kind: 'receipt',
  receiptId: receiptRow().id,
  outcome: 'confirmed',
  body: JSON.stringify({
    type: 'payment',
    items: [{ ...item, payment_mode: 'full_payment' }],
    settlements: [{ type: 'prepayment', amount: rub('100.00') }],
  }),
});
const follow = (payment: Partial<PaymentRow> = {}, fields: Partial<Draft> = {}) =>
  followPrepayment(
    { ...draftWith(paidRow({ prepaidMinor: 10_000, ...payment }), { operations: [create] }), ...fields },
    'sweep',
    TERM_MS,
  );
const began = { unsettledMinor: 10_000, unsettledSince: earlier(TERM_MS), unsettledDueAt: NOW };

describe('what of a prepayment is left to settle', () => {
  it('is all of it until a receipt settles it, within its term', () => {
    expect(follow()).toMatchObject({
      payment: { unsettledMinor: 10_000, unsettledSince: NOW, unsettledDueAt: later(TERM_MS) },
      events: [],
    });
    const settled = { receipts: [receiptRow({ status: 'succeeded' })], operations: [create, handedOver] };
    expect(follow(began, settled)).toMatchObject({
      payment: { unsettledMinor: 0, unsettledSince: null, unsettledDueAt: null },
      events: [],
    });
  });

  it('is less what was given back', () => {
    expect(follow({ refundedMinor: 4_000 }).payment).toMatchObject({ unsettledMinor: 6_000 });
  });

  it.each<[string, Partial<PaymentRow>, Partial<Draft>]>([
    ['is not paid', { ...paymentRow(), prepaidMinor: 10_000 }, {}],
    ['was not prepaid', { prepaidMinor: 0 }, {}],
  ])('is not asked of a payment that %s', (_how, payment, fields) => {
    const draft = { ...draftWith(paidRow(payment), { operations: [create] }), ...fields };
    expect(followPrepayment(draft, 'sweep', TERM_MS)).toBe(draft);
  });

  it('is asked of one whose part or whose own receipt may have been said to be prepaid', () => {
    expect(follow({ prepaidMinor: 0, authorizedMinor: 12_000 }).payment).toMatchObject({
      unsettledMinor: 10_000,
    });
    const own = { receipts: [receiptRow()], operations: [create] };
    expect(follow({ prepaidMinor: 0 }, own).payment).toMatchObject({ unsettledMinor: 10_000 });
  });
});

describe('the end of its term', () => {
  it('is told once, after what was told before', () => {
    const known = { ...draftWith(paidRow()), operations: [create] };
    const told = follow(began, { events: known.events });
    expect(told.payment).toMatchObject({ ...began, unsettledDueAt: null });
    expect(told.events).toEqual([
      {
        storeId: told.payment.storeId,
        subject: { type: 'payment', id: PAYMENT_ID },
        paymentId: PAYMENT_ID,
        name: 'receipt.unsettled',
        cause: 'sweep',
        evidence: { since: earlier(TERM_MS), leftMinor: 10_000 },
        notice: `The prepayment of payment ${PAYMENT_ID} of order "order-1" is still not settled.`,
      },
    ]);
    const again = followPrepayment(
      { ...told, payment: paidRow({ prepaidMinor: 10_000, ...began }) },
      'sweep',
      TERM_MS,
    );
    expect(again.events).toHaveLength(2);
    expect(followPrepayment(told, 'sweep', TERM_MS).events).toHaveLength(1);
  });

  it.each<[string, Partial<Draft>]>([
    [
      'a receipt',
      { receipts: [receiptRow({ status: 'succeeded' }), receiptRow({ id: 'open', status: 'pending' })] },
    ],
    ['a refund', { refunds: [refundRow({ id: 'x', status: 'succeeded', amountMinor: 1 }), refundRow()] }],
  ])('waits for %s that is on its way', (_what, fields) => {
    expect(follow(began, fields)).toMatchObject({
      payment: { unsettledDueAt: later(3_600_000) },
      events: [],
    });
  });

  it('does not wait for what has ended', () => {
    const ended = {
      receipts: [receiptRow({ status: 'rejected' })],
      refunds: [refundRow({ status: 'rejected' })],
    };
    expect(follow(began, ended).events).toHaveLength(1);
  });
});
