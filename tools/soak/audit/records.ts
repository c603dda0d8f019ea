import type { PaymentStatus, RefundStatus } from '@holdfast/payments';
import type { LedgerEntry, RequestCount } from '@holdfast/sandbox';
import type { OutsideEffect } from '../shop/outside-effects.js';
import type { Forgotten } from './forgotten.js';

/** What is known of the shops: their database, what it forgot, and what their handlers did outside it. */
export interface ShopRecords extends DatabaseRecords {
  readonly forgotten: Pick<Forgotten, 'keys' | 'notifications'>;
  /** How often the database forgot, and whether shops that live on saw it the last time. */
  readonly losses: { readonly times: number; readonly lastSeen: boolean };
  /** Stores that were connected. */
  readonly connected: number;
  readonly outside: readonly OutsideEffect[];
}

/** The shops' database: rows, as far as the audit needs them. */
export interface DatabaseRecords {
  readonly payments: readonly PaymentRow[];
  readonly orders: readonly OrderRow[];
  readonly operations: readonly OperationRow[];
  readonly refunds: readonly RefundRow[];
  readonly handlers: readonly { readonly id: string; readonly event: string }[];
  readonly events: readonly EventRow[];
  readonly deliveries: readonly DeliveryRow[];
  readonly effects: readonly EffectRow[];
  readonly notifications: readonly NotificationRow[];
  readonly receipts: readonly ReceiptRow[];
  readonly ownReceipts: readonly OwnReceiptRow[];
  readonly receiptEvents: readonly ReceiptEventRow[];
  /** What an outage cut off for longer than its key lives: a person was told, and nobody may repeat it. */
  readonly outlived: readonly {
    readonly kind: 'capture' | 'cancel' | 'receipt';
    readonly paymentId: string;
    readonly servicePaymentId: string;
  }[];
  /** Payments that the module found out of the queue while they were in progress. */
  readonly putBack: readonly { readonly paymentId: string }[];
}

/** How far the shops know the receipt of a payment, or of its refund, to be. */
export interface ReceiptRow {
  readonly paymentId: string;
  /** Null: the payment's own. */
  readonly refundId: string | null;
  /** The payment's at the service. */
  readonly servicePaymentId: string;
  readonly serviceRefundId: string | null;
  readonly status: string | null;
  /** The money was moved in the Merchant Profile, and somebody was told that it has no receipt. */
  readonly missing: boolean;
}

/** A receipt that is sent by itself: an offset of a prepayment, or one that follows the money. */
export interface OwnReceiptRow {
  readonly id: string;
  readonly paymentId: string;
  /** The payment's at the service. */
  readonly servicePaymentId: string;
  readonly receiptKey: string;
  readonly serviceId: string | null;
  readonly status: string;
  /** It failed, and somebody made it in the register: this much income, below zero where it is given back; 0: nobody did. */
  readonly byHandMinor: number;
}

interface ReceiptEventRow {
  readonly name: string;
  readonly paymentId: string;
  readonly refundId: string | null;
  /** Of one that was sent by itself; null: it went with the money. */
  readonly receiptId: string | null;
}

export interface PaymentRow {
  readonly id: string;
  readonly orderReference: string;
  readonly serviceId: string | null;
  readonly status: PaymentStatus;
  readonly amountMinor: number;
  readonly authorizedMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly reservedMinor: number;
}

interface OrderRow {
  readonly reference: string;
  readonly dueMinor: number;
  readonly paidMinor: number;
  readonly heldMinor: number;
  readonly refundedMinor: number;
}

export interface OperationRow {
  readonly paymentId: string;
  readonly kind: 'create' | 'capture' | 'cancel' | 'refund' | 'receipt';
  readonly key: string;
  readonly outcome: 'confirmed' | 'refused' | 'unknown' | null;
}

interface RefundRow {
  readonly id: string;
  readonly paymentId: string;
  readonly serviceId: string | null;
  readonly status: RefundStatus;
  readonly amountMinor: number;
}

interface EventRow {
  readonly id: string;
  readonly name: string;
  /** Null: it is about a store or the database. */
  readonly paymentId: string | null;
  /** The payment's. */
  readonly orderReference: string | null;
  /** Why a person is needed. */
  readonly reason: string | null;
  /** Nobody is. */
  readonly endsByItself: boolean;
}

export interface DeliveryRow {
  readonly eventId: string;
  readonly handlerId: string;
  readonly done: boolean;
  /** Runs that were begun. */
  readonly attempts: number;
  /** From the event to the end of the run that took effect, in business time; null if there is none. */
  readonly tookMs: number | null;
}

export interface EffectRow {
  readonly eventId: string;
  readonly handlerId: string;
  readonly paymentId: string | null;
  readonly event: string;
  readonly amountMinor: number;
}

interface NotificationRow {
  readonly event: string;
  readonly objectId: string;
  readonly count: number;
  readonly handledCount: number;
}

/** The service: its objects, its ledger, and the requests it received. */
export interface ServiceRecords {
  readonly payments: readonly ServicePaymentRecord[];
  readonly refunds: readonly ServiceRefundRecord[];
  readonly ledger: readonly LedgerEntry[];
  readonly receipts: readonly ServiceReceipt[];
  readonly requests: readonly Pick<RequestCount, 'endpoint' | 'requestKey'>[];
  /** How often each notification was answered 200. */
  readonly acknowledged: readonly {
    readonly event: string;
    readonly objectId: string;
    readonly times: number;
  }[];
}

export interface ServicePaymentRecord {
  readonly id: string;
  readonly status: string;
  /** Our payment id, as the create carried it in its metadata. */
  readonly ourId: string | null;
  readonly cancellationReason: string | null;
  /** The number of the order. */
  readonly order: string | null;
  /** The buyer was sent to two payment pages and paid on both. */
  readonly paysTwice: boolean;
}

interface ServiceRefundRecord {
  readonly id: string;
  /** Our refund id; null if it was made in the Merchant Profile. */
  readonly ourId: string | null;
  /** The shop's name for it; null likewise. */
  readonly refundKey: string | null;
  readonly paymentId: string;
  readonly status: string;
  readonly amountMinor: number;
}

/** A receipt at the register. */
export interface ServiceReceipt {
  readonly id: string;
  readonly paymentId: string;
  readonly refundId: string | null;
  readonly status: string;
  /** Income, below zero where it is given back. */
  readonly amountMinor: number;
  /** What of an earlier prepayment it settles, which moves no money; 0: it went with the money. */
  readonly offsetMinor: number;
}
