/**
 * What the shop knows about an order: `held` means the amount is held until the shop ships, `payment_failed`
 * means the buyer may try again, `canceled` means the shop gave the order up.
 */
export const orderStates = [
  'awaiting_payment',
  'held',
  'paid',
  'payment_failed',
  'canceled',
  'partially_refunded',
  'refunded',
] as const;
export type OrderState = (typeof orderStates)[number];

/** What a payment event does to the order. */
export type PaymentEffect = 'held' | 'paid' | 'payment_failed' | 'canceled';

/** The name under which an event's effect is recorded. */
export type OrderEffect = PaymentEffect | 'refunded';

/** The states of an order whose money has arrived, however much of it was refunded. */
export function isPaid(state: OrderState): boolean {
  return state === 'paid' || state === 'partially_refunded' || state === 'refunded';
}

/**
 * The state after an effect. Handlers of one payment's events run independently, so "held" can arrive after
 * "paid", and "paid" after a refund: money that has arrived is never undone, and a hold that is already over is
 * not a hold.
 */
export function stateAfter(state: OrderState, effect: PaymentEffect, holdIsOver: boolean): OrderState {
  if (isPaid(state)) return state;
  if (effect === 'held' && holdIsOver) return state;
  return effect;
}

/** The state of an order after this much of its captured amount was refunded, including the latest refund. */
export function stateAfterRefund(refundedMinor: number, capturedMinor: number): OrderState {
  return refundedMinor < capturedMinor ? 'partially_refunded' : 'refunded';
}
