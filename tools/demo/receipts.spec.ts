import type { LedgerTotals, WireReceipt } from '@holdfast/sandbox';

import type { ComparedPayment } from './books.js';
import { compareReceipts, type MadeByHand } from './receipts.js';

const ledger: LedgerTotals = {
  charges: 1,
  captures: 1,
  cancels: 0,
  refunds: 1,
  charged: '300.00',
  captured: '300.00',
  refunded: '100.00',
};
const compared: ComparedPayment = {
  booked: {
    serviceId: 'theirs',
    status: 'succeeded',
    capture: true,
    amountMinor: 300_00,
    discountMinor: 0,
    capturedMinor: 300_00,
    refundedMinor: 100_00,
    refunds: 1,
    orderReference: 'ONE',
    orderState: 'partially_refunded',
    handedOver: false,
    orderTotalMinor: 300_00,
    orderPaidMinor: 300_00,
    orderRefundedMinor: 100_00,
    effects: ['paid', 'refunded'],
    effectsRefundedMinor: 100_00,
  },
  ledger,
  differences: [],
};

function receipt(value: string, changes: Partial<WireReceipt> = {}): WireReceipt {
  const settlements = [{ type: 'cashless', amount: { value, currency: 'RUB' } } as const];
  return {
    id: value,
    type: 'payment',
    payment_id: 'theirs',
    status: 'succeeded',
    items: [],
    settlements,
    ...changes,
  };
}
const refund = (changes: Partial<WireReceipt> = {}): WireReceipt =>
  receipt('100.00', { type: 'refund', refund_id: 'their-refund', ...changes });

function found(
  receipts: readonly WireReceipt[],
  byHand: readonly MadeByHand[] = [],
  changes: Partial<LedgerTotals> = {},
): readonly string[] | undefined {
  const [payment] = compareReceipts([{ ...compared, ledger: { ...ledger, ...changes } }], receipts, byHand);
  return payment?.differences.map((text) => text.replaceAll('\u00a0', ' '));
}

describe('the receipts of a payment', () => {
  it('add up to its money, less what was given back', () => {
    expect(found([receipt('300.00'), refund()])).toEqual([]);
    expect(found([receipt('300.00')])).toEqual(['order ONE: receipts of −100,00 ₽ are missing']);
    expect(found([refund()])).toEqual(['order ONE: receipts of 300,00 ₽ are missing']);
  });

  it('count once registered, or refused and made by hand', () => {
    const refused = refund({ status: 'canceled' });
    expect(found([receipt('300.00', { status: 'pending' }), refund()])).toHaveLength(1);
    expect(found([receipt('300.00'), refused])).toHaveLength(1);
    const ofPayment: MadeByHand = { paymentId: 'theirs', refundId: null, missingMinor: 0 };
    const ofRefund: MadeByHand = { ...ofPayment, refundId: 'their-refund' };
    expect(found([receipt('300.00'), refused], [ofPayment])).toHaveLength(1);
    expect(found([receipt('300.00'), refused], [ofRefund])).toEqual([]);
  });

  it('count if they were never sent and were made by hand, for the money that they are of', () => {
    const missing: MadeByHand = { paymentId: 'theirs', refundId: 'their-refund', missingMinor: -100_00 };
    expect(found([receipt('300.00')], [missing])).toEqual([]);
    expect(found([receipt('300.00')], [{ ...missing, paymentId: 'another' }])).toHaveLength(1);
    expect(found([receipt('300.00'), refund()], [missing])).toHaveLength(1);
  });

  it('settle a prepayment once its goods are handed over, without being money', () => {
    const handedOver = (receipts: readonly WireReceipt[]) => {
      const { booked } = compared;
      const [payment] = compareReceipts(
        [{ ...compared, booked: booked && { ...booked, handedOver: true } }],
        [receipt('300.00'), refund(), ...receipts],
        [],
      );
      return payment?.differences.map((text) => text.replaceAll('\u00a0', ' '));
    };
    const prepaid = { type: 'prepayment', amount: { value: '200.00', currency: 'RUB' } } as const;
    const offset = receipt('200.00', { settlements: [prepaid] });
    expect(handedOver([offset])).toEqual([]);
    const missing = ['order ONE: receipts that settle 200,00 ₽ of its prepayment are missing'];
    expect(handedOver([])).toEqual(missing);
    expect(handedOver([{ ...offset, status: 'pending' }])).toEqual(missing);
    const refused = { ...offset, status: 'canceled' } as const;
    expect(handedOver([refused])).toEqual(missing);
    expect(handedOver([refused, offset])).toEqual([]);
    expect(handedOver([offset, offset])).toEqual([missing[0]?.replace('200', '−200')]);
    expect(found([receipt('300.00'), refund(), offset])).toHaveLength(1);
  });

  it('of a hold that was let go are as if there had been none', () => {
    const letGo = { captures: 0, captured: '0.00', refunds: 0, refunded: '0.00', cancels: 1 };
    const back = receipt('300.00', { type: 'refund' });
    expect(found([receipt('300.00'), back], [], letGo)).toEqual([]);
    expect(found([receipt('300.00')], [], letGo)).toHaveLength(1);
  });
});
