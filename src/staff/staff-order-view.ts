import type { Receipt } from '@holdfast/payments';

import { orderJson, type OrderView } from '../orders/order-view.js';

/** An order as the staff see it. */
export interface StaffOrderView extends OrderView {
  /** Those of its payments that are sent by themselves, oldest first. */
  receipts: Receipt[];
}

/** The same for the staff's programs, with everything that is known but the buyer's token or code. */
export function staffOrderJson(view: StaffOrderView): object {
  const { order, money, payments, effects, receipts } = view;
  return {
    ...orderJson(view),
    capture: order.capture,
    inAdvance: order.inAdvance,
    handedOverAt: order.handedOverAt,
    money,
    payments: payments.map(({ payment: { confirmation: _buyers, ...payment }, timeline, refunds }) => ({
      ...payment,
      timeline,
      refunds,
    })),
    effects: effects.map(({ effect, paymentId, refundId, refundedMinor, effectKey }) => ({
      effect,
      paymentId,
      refundId,
      refundedMinor,
      effectKey,
    })),
    receipts: receipts.map(({ id, receiptKey, type, status, amount }) => ({
      id,
      receiptKey,
      type,
      status,
      amount,
    })),
  };
}
