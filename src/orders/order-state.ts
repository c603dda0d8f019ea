/**
 * What the shop knows about an order: `held` means the amount is held until the shop ships, `payment_failed`
 * means the buyer may try again, `canceled` means the shop gave the order up.
 */
export const orderStates = ['awaiting_payment', 'held', 'paid', 'payment_failed', 'canceled'] as const;
export type OrderState = (typeof orderStates)[number];

/** What a payment event does to the order; also the name under which the effect is recorded. */
export type OrderEffect = 'held' | 'paid' | 'payment_failed' | 'canceled';

/**
 * The state after an effect. Handlers of one payment's events run independently, so "held" can arrive after
 * "paid": money that has arrived is never undone, and a hold that is already over is not a hold.
 */
export function stateAfter(state: OrderState, effect: OrderEffect, holdIsOver: boolean): OrderState {
  if (state === 'paid') return state;
  if (effect === 'held' && holdIsOver) return state;
  return effect;
}
