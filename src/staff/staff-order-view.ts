import { orderJson, type OrderView } from '../orders/order-view.js';
import type { StaffNote } from './staff-note.entity.js';

/** An order as the staff see it. */
export interface StaffOrderView extends OrderView {
  /** What they are to know of it, done with or not. */
  notes: StaffNote[];
}

/** The same as the staff's programs read it, with all that is known. */
export function staffOrderJson(view: StaffOrderView): object {
  const { order, money, payments, effects, notes } = view;
  return {
    ...orderJson(view),
    capture: order.capture,
    money,
    payments: payments.map(({ payment, timeline, refunds }) => ({ ...payment, timeline, refunds })),
    effects: effects.map(({ effect, paymentId, refundId, refundedMinor, effectKey }) => ({
      effect,
      paymentId,
      refundId,
      refundedMinor,
      effectKey,
    })),
    notes: notes.map(({ event, text, toldAt, doneAt }) => ({ event, text, toldAt, doneAt })),
  };
}
