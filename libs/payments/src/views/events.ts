import type { DealObject } from '../api/objects/deal.js';
import type { PaymentMethodObject } from '../api/objects/payment-method.js';
import type { PayoutObject } from '../api/objects/payout.js';
import type { HoldPolicy } from '../common/hold-policy.js';
import type { RecoveryReason } from '../schema/recovery.entity.js';
import type { Order, Payment } from './payment.view.js';
import type { Receipt } from './receipt.view.js';
import type { Refund } from './refund.view.js';
import type { Store } from './store.view.js';

/** Events about a payment. */
export const paymentEventNames = [
  'payment.pending',
  'payment.waiting_for_capture',
  'payment.succeeded',
  'payment.canceled',
  'payment.rejected',
  'payment.anomaly',
] as const;
/** Events about all payments of an order together. */
export const orderEventNames = ['order.paid', 'order.unpaid', 'order.refunded', 'order.overpaid'] as const;
export const holdEventNames = ['hold.expiring', 'hold.expired'] as const;
export const refundEventNames = ['refund.succeeded', 'refund.canceled', 'refund.rejected'] as const;
export const receiptEventNames = [
  'receipt.succeeded',
  'receipt.failed',
  'receipt.late',
  'receipt.unsettled',
] as const;
export const payoutEventNames = ['payout.succeeded', 'payout.canceled'] as const;
export const dealEventNames = ['deal.closed'] as const;
export const storeEventNames = [
  'store.connected',
  'store.needs_reconnect',
  'store.disconnected',
  'store.token_expiring',
] as const;
export const databaseEventNames = ['database.rolled_back'] as const;
export const paymentMethodEventNames = ['payment_method.active'] as const;

export type PaymentEventName = (typeof paymentEventNames)[number];
export type OrderEventName = (typeof orderEventNames)[number];
export type HoldEventName = (typeof holdEventNames)[number];
export type RefundEventName = (typeof refundEventNames)[number];
export type ReceiptEventName = (typeof receiptEventNames)[number];
export type PayoutEventName = (typeof payoutEventNames)[number];
export type DealEventName = (typeof dealEventNames)[number];
export type PaymentMethodEventName = (typeof paymentMethodEventNames)[number];
export type StoreEventName = (typeof storeEventNames)[number];
export type DatabaseEventName = (typeof databaseEventNames)[number];

/** Every event that a handler can handle. */
export const eventNames = [
  ...paymentEventNames,
  ...orderEventNames,
  ...holdEventNames,
  ...refundEventNames,
  ...receiptEventNames,
  ...payoutEventNames,
  ...dealEventNames,
  ...paymentMethodEventNames,
  ...storeEventNames,
  ...databaseEventNames,
] as const;
/** The name of an event that a handler can handle; docs/handlers.md says when each is raised. */
export type EventName = (typeof eventNames)[number];

/** Events of a payment's timeline alone: no handler handles them. */
const timelineEventNames = [
  'payment.submitting',
  'payment.superseded',
  'payment.noted',
  'refund.submitting',
  'refund.pending',
  'receipt.not_needed',
  'receipt.resolved',
  'receipt.sent_again',
  'incident.resolved',
  'effect.recorded',
] as const;
/** The name of an event as it is recorded. */
export type RecordedEventName = EventName | (typeof timelineEventNames)[number];

/** The common part of every event. */
export interface BaseEvent<Name extends EventName> {
  /** Stable, also when the delivery is repeated. */
  readonly id: string;
  readonly name: Name;
  /** The evidence; for `payment.anomaly` the reason, for an order's events the sums, for `order.overpaid` both. */
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

/** The common part of every event of a payment. */
export interface EventOfPayment<Name extends EventName> extends BaseEvent<Name> {
  /** The host's own name for the order. */
  readonly orderReference: string;
  /** The payment as it is when the handler runs: it may have moved on since the event. */
  readonly payment: Payment;
}

/** A change of a payment, as merchant code sees it. */
export type PaymentEvent = EventOfPayment<PaymentEventName>;

/** A change of what is paid of an order, all its payments together. */
export interface OrderEvent extends EventOfPayment<OrderEventName> {
  /** The order as it is when the handler runs; `payment` is the one whose change this was. */
  readonly order: Order;
}

/** A hold that nears its end, or ran out. */
export interface HoldEvent extends EventOfPayment<HoldEventName> {
  readonly hold: {
    /** The service's own end of the hold; null if it named none. */
    readonly expiresAt: Date | null;
    /** What was left when the event was raised, in ms: nothing once it ran out; null if the end is not known. */
    readonly timeLeftMs: number | null;
    /** What happens to it; null for a hold that ran out. */
    readonly policy: HoldPolicy | null;
  };
}

/** A change of a refund. */
export interface RefundEvent extends EventOfPayment<RefundEventName> {
  /** As it is when the handler runs. */
  readonly refund: Refund;
}

/** How the registration of a receipt goes on: registered, failed, or pending for too long. Or a prepayment that was not settled. */
export interface ReceiptEvent extends EventOfPayment<ReceiptEventName> {
  /** The refund whose receipt it is; null: the payment's own. */
  readonly refund: Refund | null;
  /** The receipt that was sent by itself; null: it went with the money. */
  readonly receipt: Receipt | null;
}

/** A change of a payout. */
export interface PayoutEvent extends BaseEvent<PayoutEventName> {
  /** As the service returned it to the re-read that found the change. */
  readonly payout: PayoutObject;
}

/** A change of a deal. */
export interface DealEvent extends BaseEvent<DealEventName> {
  /** As the service returned it to the re-read that found the change. */
  readonly deal: DealObject;
}

/** A change of a saved payment method. */
export interface PaymentMethodEvent extends BaseEvent<PaymentMethodEventName> {
  /** As the service returned it to the re-read that found the change. Keep its `id` for automatic payments. */
  readonly paymentMethod: PaymentMethodObject;
}

/** A change of a connected store. */
export interface StoreEvent extends BaseEvent<StoreEventName> {
  /** As it is when the handler runs: it may have been connected again by now. */
  readonly store: Store;
}

/** The database has forgotten commits, or may have: what it lacks is looked for at the service, which remembers. */
export interface DatabaseEvent extends BaseEvent<DatabaseEventName> {
  /** What was committed from then on may be missing, the handlers' own rows included. */
  readonly from: Date;
  /** When that was noticed. */
  readonly to: Date;
  readonly reason: RecoveryReason;
}

/** The event that its handler gets. */
export type EventOf<Name extends EventName> = (Record<PaymentEventName, PaymentEvent> &
  Record<OrderEventName, OrderEvent> &
  Record<HoldEventName, HoldEvent> &
  Record<RefundEventName, RefundEvent> &
  Record<ReceiptEventName, ReceiptEvent> &
  Record<PayoutEventName, PayoutEvent> &
  Record<DealEventName, DealEvent> &
  Record<PaymentMethodEventName, PaymentMethodEvent> &
  Record<StoreEventName, StoreEvent> &
  Record<DatabaseEventName, DatabaseEvent>)[Name];
