import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  Unique,
  type Relation,
} from 'typeorm';
import type { StoredConfirmation } from '../api/objects/confirmation.js';
import type { ReceiptStatus } from '../api/objects/fields.js';
import { holdPolicies, type HoldPolicy } from '../common/hold-policy.js';
import type { Amount } from '../common/money.js';
import { paymentStatuses, type PaymentStatus } from '../common/payment-status.js';
import { isOneOf, minorColumn } from './columns.js';
import { PaymentsOrderEntity } from './order.entity.js';
import { PaymentsStoreEntity } from './store.entity.js';

/** SQL condition on payments that are looked at again although no other index has them: until it no longer holds. */
export const followed =
  `"receipt_status" = 'pending' OR "status" IN ('submitting', 'pending') AND "superseded_at" IS NOT NULL` +
  ` OR "status" = 'waiting_for_capture' AND "hold_due_at" IS NOT NULL AND "hold_tries" > 0`;

/** SQL condition on payments that may still bring money, or let some go. */
export const live = `("status" IN ('submitting', 'pending', 'waiting_for_capture')) IS TRUE`;
/** SQL condition on payments that were paid, and keep some of the money. */
export const keepsMoney = `"status" = 'succeeded' AND "captured_minor" > "refunded_minor"`;
/** The same, written so that of the two indexes with such a condition only the intended one fits. */
export const keepsAny = `"status" = 'succeeded' AND "captured_minor" - "refunded_minor" > 0`;

/** SQL condition on payments that the service had and that keep no money: canceled, refused after all, or wholly refunded. */
export const ended =
  `("service_id" IS NOT NULL AND ("status" IN ('rejected', 'canceled')` +
  ` OR "status" = 'succeeded' AND "captured_minor" = "refunded_minor")) IS TRUE`;

/** Our row for one payment. Only payment/ledger.ts writes `status`. */
@Entity({ name: 'payments_payments' })
@Unique('payments_payments_service_id_key', ['storeId', 'serviceId'])
@Index('payments_payments_one_open_key', ['orderId', 'part'], {
  unique: true,
  where: `"status" IN ('submitting', 'pending') AND "superseded_at" IS NULL`,
})
// All payments of an order are read by it too: an index on the order alone is one more to write, and PostgreSQL may take it in place of those below.
@Index('payments_payments_try_idx', ['orderId', 'part', 'tryNumber'])
@Index('payments_payments_live_idx', ['orderId'], { where: live })
@Index('payments_payments_keeping_idx', ['orderId', 'createdAt'], { where: keepsMoney })
// In the order in which it is read: else PostgreSQL may take the index of tries for the better one, and read all tries of a part.
@Index('payments_payments_alike_idx', ['orderId', 'part', 'amountMinor', 'createdAt'], { where: keepsAny })
@Index('payments_payments_ended_idx', ['orderId', 'createdAt'], { where: ended })
@Index('payments_payments_created_idx', ['storeId', 'createdAt'])
// The store second: where several indexes begin with it, PostgreSQL may take another one and filter all of a store's payments.
@Index('payments_payments_status_idx', ['status', 'storeId', 'createdAt', 'id'])
@Index('payments_payments_amount_idx', ['amountMinor', 'storeId', 'createdAt', 'id'])
@Index('payments_payments_held_idx', ['storeId', 'holdExpiresAt', 'id'], {
  where: `"status" = 'waiting_for_capture'`,
})
@Index('payments_payments_card_idx', ['storeId', 'cardLast4', 'createdAt'], {
  where: '"card_last4" IS NOT NULL',
})
@Index('payments_payments_holds_idx', ['storeId', 'holdDueAt'], {
  where: `"status" = 'waiting_for_capture' AND "hold_tries" = 0`,
})
@Index('payments_payments_flagged_idx', ['storeId', 'updatedAt'], {
  where: `"status" = 'waiting_for_capture' AND "hold_due_at" IS NULL AND "hold_tries" > 0`,
})
@Index('payments_payments_followed_idx', ['id'], { where: followed })
@Index('payments_payments_unsettled_idx', ['storeId', 'unsettledSince', 'id'], {
  where: '"unsettled_since" IS NOT NULL',
})
@Index('payments_payments_untold_idx', ['unsettledDueAt', 'id'], {
  where: '"unsettled_due_at" IS NOT NULL',
})
@Check(
  'payments_payments_money_check',
  '"amount_minor" > 0 AND "refunded_minor" >= 0 AND "refund_reserved_minor" >= 0 AND ' +
    '"refunded_minor" + "refund_reserved_minor" <= "captured_minor" AND "captured_minor" <= "authorized_minor" AND ' +
    '"authorized_minor" <= "amount_minor"',
)
@Check('payments_payments_status_check', isOneOf('status', paymentStatuses))
@Check(
  'payments_payments_prepaid_check',
  '"prepaid_minor" BETWEEN 0 AND "amount_minor" AND "unsettled_minor" BETWEEN 0 AND "captured_minor" AND ' +
    '("unsettled_since" IS NULL) = ("unsettled_minor" = 0) AND ("unsettled_due_at" IS NULL OR "unsettled_since" IS NOT NULL)',
)
@Check('payments_payments_receipt_check', `"receipt_status" IN ('pending', 'succeeded', 'canceled')`)
@Check('payments_payments_hold_policy_check', isOneOf('hold_policy', holdPolicies))
export class PaymentsPaymentEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_payments_pkey' })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_payments_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  @Column({ type: 'uuid', name: 'order_id' })
  orderId!: string;

  @ManyToOne(() => PaymentsOrderEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'order_id', foreignKeyConstraintName: 'payments_payments_order_fkey' })
  order?: Relation<PaymentsOrderEntity>;

  /** The service's id; null until its first answer. */
  @Column({ type: 'text', name: 'service_id', nullable: true })
  serviceId!: string | null;

  @Column({ type: 'text' })
  status!: PaymentStatus;

  @Column({ type: 'text' })
  currency!: Amount['currency'];

  /** The intent: the requested amount of the create. */
  @Column(minorColumn('amount_minor'))
  amountMinor!: number;

  @Column(minorColumn('authorized_minor', { default: 0 }))
  authorizedMinor!: number;

  @Column(minorColumn('captured_minor', { default: 0 }))
  capturedMinor!: number;

  @Column(minorColumn('refunded_minor', { default: 0 }))
  refundedMinor!: number;

  /** Refunds in flight: money that may not be promised twice. */
  @Column(minorColumn('refund_reserved_minor', { default: 0 }))
  refundReservedMinor!: number;

  /** true: one-stage; false: the amount is held and captured later. */
  @Column({ type: 'boolean' })
  capture!: boolean;

  /** The requested method; null if the buyer chooses it on the service's page, or a saved one was used. */
  @Column({ type: 'text', nullable: true })
  method!: string | null;

  /** The saved method of an automatic payment. */
  @Column({ type: 'text', name: 'payment_method_id', nullable: true })
  paymentMethodId!: string | null;

  /** true: card data, a cryptogram or the token of a form went with the create; none is stored anywhere. */
  @Column({ type: 'boolean', name: 'card_data', default: false })
  cardData!: boolean;

  /** Whether its method is to be saved, as its create said. */
  @Column({ type: 'boolean', name: 'save_payment_method', default: false })
  savePaymentMethod!: boolean;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** The merchant's own metadata, without our mark. */
  @Column({ type: 'jsonb', default: {} })
  metadata!: Record<string, string>;

  /** Which of the order's payments this is, if it has several; empty if it has one. */
  @Column({ type: 'text', default: '' })
  part!: string;

  /** Which payment of that part it is: those before it failed, ended, were replaced or given back. */
  @Column({ type: 'int', name: 'try_number', default: 1 })
  tryNumber!: number;

  /** The key of its intent, and of its create: the same again if the database forgets the payment (payment/intent-key.ts). */
  @Column({ type: 'text', name: 'intent_key' })
  intentKey!: string;

  /** Set when a create with `replace: true` took this payment's place. */
  @Column({ type: 'timestamptz', name: 'superseded_at', nullable: true })
  supersededAt!: Date | null;

  /** How the buyer confirms it: as requested until the service answers, then what it answered; null: nothing to confirm. */
  @Column({ type: 'jsonb', nullable: true })
  confirmation!: StoredConfirmation | null;

  /** As the service first answered; a later answer that differs is an anomaly. */
  @Column({ type: 'boolean', nullable: true })
  test!: boolean | null;

  @Column({ type: 'timestamptz', name: 'hold_expires_at', nullable: true })
  holdExpiresAt!: Date | null;

  /** What happens to the hold before it ends; null: as the module's `holds` option says. */
  @Column({ type: 'text', name: 'hold_policy', nullable: true })
  holdPolicy!: HoldPolicy | null;

  /** When the hold must be handled, in business time; null: not held, or left to a person already. */
  @Column({ type: 'timestamptz', name: 'hold_due_at', nullable: true })
  holdDueAt!: Date | null;

  /** How often its policy was carried out so far. */
  @Column({ type: 'int', name: 'hold_tries', default: 0 })
  holdTries!: number;

  /** true: what a capture of ours leaves of the hold stays due; false: a capture of less lets the rest go. */
  @Column({ type: 'boolean', name: 'keeps_due', default: false })
  keepsDue!: boolean;

  @Column({ type: 'jsonb', nullable: true })
  cancellation!: { party: string; reason: string } | null;

  /** The last four digits of the card it was paid with, for a search by them; null: not known, or no card. */
  @Column({ type: 'text', name: 'card_last4', nullable: true })
  cardLast4!: string | null;

  /** The status of the receipt's registration; null if the service does not report one. */
  @Column({ type: 'text', name: 'receipt_status', nullable: true })
  receiptStatus!: ReceiptStatus | null;

  /** true: its receipts are kept, and sent by the module once the money has moved; as the option said at its create. */
  @Column({ type: 'boolean', name: 'receipts_after', default: false })
  receiptsAfter!: boolean;

  /** Of the receipt that its create was given, and of whom it goes to: another one is another payment. null: none. */
  @Column({ type: 'text', name: 'receipt_digest', nullable: true })
  receiptDigest!: string | null;

  /** What the receipt of its create says is paid before the goods are handed over. */
  @Column(minorColumn('prepaid_minor', { default: 0 }))
  prepaidMinor!: number;

  /** What of its prepayment was neither settled nor given back. */
  @Column(minorColumn('unsettled_minor', { default: 0 }))
  unsettledMinor!: number;

  /** Since when there is any, in business time; null: there is none. */
  @Column({ type: 'timestamptz', name: 'unsettled_since', nullable: true })
  unsettledSince!: Date | null;

  /** When its host is told, in business time; null: told already, or nothing to tell. */
  @Column({ type: 'timestamptz', name: 'unsettled_due_at', nullable: true })
  unsettledDueAt!: Date | null;

  /** The object as last applied. The service masks card numbers to first6/last4 itself. */
  @Column({ type: 'jsonb', nullable: true })
  object!: object | null;

  /** The span of its create, in whose trace its re-reads and handlers go on; null: nobody traced. */
  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}
