import type { EventName } from '../views/events.js';

/** The solutions that a merchant can have contracted with the service. */
export const solutions = [
  'web_payments',
  'payouts',
  'payment_splitting',
  'partnership',
  'secure_deal',
] as const;
export type Solution = (typeof solutions)[number];

const paymentsAndRefunds = [
  'payment.waiting_for_capture',
  'payment.succeeded',
  'payment.canceled',
  'refund.succeeded',
] as const satisfies readonly EventName[];

/** The events the service sends, by solution. */
export const eventsBySolution = {
  web_payments: [...paymentsAndRefunds, 'payment_method.active'],
  payouts: ['payout.succeeded', 'payout.canceled', 'payment_method.active'],
  payment_splitting: [...paymentsAndRefunds, 'payment_method.active'],
  partnership: [...paymentsAndRefunds, 'payment_method.active'],
  secure_deal: [
    ...paymentsAndRefunds,
    'payout.succeeded',
    'payout.canceled',
    'deal.closed',
    'payment_method.active',
  ],
} as const satisfies Record<Solution, readonly EventName[]>;

/** An event that the service sends, and that a webhook can subscribe to. */
export type ServiceEventName = (typeof eventsBySolution)[Solution][number];

/** Our own events, each with the service's event without which it cannot happen. */
const ownEvents: Record<Exclude<EventName, ServiceEventName>, ServiceEventName> = {
  'payment.pending': 'payment.succeeded',
  'payment.rejected': 'payment.succeeded',
  'payment.anomaly': 'payment.succeeded',
  'order.paid': 'payment.succeeded',
  'order.unpaid': 'payment.succeeded',
  'order.refunded': 'refund.succeeded',
  'order.overpaid': 'payment.succeeded',
  'hold.expiring': 'payment.waiting_for_capture',
  'hold.expired': 'payment.waiting_for_capture',
  'refund.canceled': 'refund.succeeded',
  'refund.rejected': 'refund.succeeded',
  'receipt.succeeded': 'payment.succeeded',
  'receipt.failed': 'payment.succeeded',
  'receipt.late': 'payment.succeeded',
  'receipt.unsettled': 'payment.succeeded',
  'store.connected': 'payment.succeeded',
  'store.needs_reconnect': 'payment.succeeded',
  'store.disconnected': 'payment.succeeded',
  'store.token_expiring': 'payment.succeeded',
  'database.rolled_back': 'payment.succeeded',
};

/** Whether a solution has an event. */
export function isAvailable(event: EventName, solution: Solution): boolean {
  const available: readonly EventName[] = eventsBySolution[solution];
  return available.includes(isOwn(event) ? ownEvents[event] : event);
}

/** The solutions that have an event. */
export function solutionsWith(event: EventName): Solution[] {
  return solutions.filter((solution) => isAvailable(event, solution));
}

function isOwn(event: EventName): event is keyof typeof ownEvents {
  return Object.hasOwn(ownEvents, event);
}
