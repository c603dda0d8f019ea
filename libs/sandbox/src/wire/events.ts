/** Every event of the service. */
export const eventNames = [
  'payment.waiting_for_capture',
  'payment.succeeded',
  'payment.canceled',
  'refund.succeeded',
  'payout.succeeded',
  'payout.canceled',
  'deal.closed',
  'payment_method.active',
] as const;

export type EventName = (typeof eventNames)[number];

export function isEventName(value: unknown): value is EventName {
  return eventNames.some((name) => name === value);
}

/** Announces an event of one kind of object, at the moment it happens. */
export type Announce<Kind> = (event: EventName, object: Kind, at: Date) => void;
