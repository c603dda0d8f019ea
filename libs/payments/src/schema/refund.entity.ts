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
import type { ReceiptStatus } from '../api/objects/fields.js';
import type { Metadata } from '../common/metadata.js';
import type { Amount } from '../common/money.js';
import { refundStatuses, type RefundStatus } from '../common/refund-status.js';
import { isOneOf, minorColumn } from './columns.js';
import { PaymentsPaymentEntity } from './payment.entity.js';
import { PaymentsStoreEntity } from './store.entity.js';

/**
 * One refund of a payment, ours or one made outside the module. `status` is written by payment/ledger.ts alone.
 */
@Entity({ name: 'payments_refunds' })
@Unique('payments_refunds_refund_key_key', ['paymentId', 'refundKey'])
@Unique('payments_refunds_service_id_key', ['storeId', 'serviceId'])
@Index('payments_refunds_created_idx', ['storeId', 'createdAt'])
@Index('payments_refunds_open_idx', ['paymentId'], {
  where: `"status" IN ('submitting', 'pending') OR "receipt_status" = 'pending'`,
})
@Check('payments_refunds_amount_check', '"amount_minor" > 0')
@Check('payments_refunds_status_check', isOneOf('status', refundStatuses))
@Check('payments_refunds_receipt_check', `"receipt_status" IN ('pending', 'succeeded', 'canceled')`)
@Check('payments_refunds_origin_check', '"refund_key" IS NOT NULL OR "service_id" IS NOT NULL')
export class PaymentsRefundEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_refunds_pkey' })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_refunds_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  @Column({ type: 'uuid', name: 'payment_id' })
  paymentId!: string;

  @ManyToOne(() => PaymentsPaymentEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payments_refunds_payment_fkey' })
  payment?: Relation<PaymentsPaymentEntity>;

  /** The caller's own name for the refund; null for one made outside the module. */
  @Column({ type: 'text', name: 'refund_key', nullable: true })
  refundKey!: string | null;

  /** The service's id; null until its first answer. */
  @Column({ type: 'text', name: 'service_id', nullable: true })
  serviceId!: string | null;

  @Column({ type: 'text' })
  status!: RefundStatus;

  @Column(minorColumn('amount_minor'))
  amountMinor!: number;

  @Column({ type: 'text' })
  currency!: Amount['currency'];

  /** The caller gave no amount: all that was left. */
  @Column({ type: 'boolean', default: false })
  whole!: boolean;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** Of the receipt that was given for it, likewise as a payment's. null: none. */
  @Column({ type: 'text', name: 'receipt_digest', nullable: true })
  receiptDigest!: string | null;

  /** The merchant's own metadata, without our mark; for a refund made outside, what the service shows. */
  @Column({ type: 'jsonb', default: {} })
  metadata!: Metadata;

  @Column({ type: 'jsonb', nullable: true })
  cancellation!: { party: string; reason: string } | null;

  /** The status of the receipt's registration; null if the service does not report one. */
  @Column({ type: 'text', name: 'receipt_status', nullable: true })
  receiptStatus!: ReceiptStatus | null;

  /** The object as last applied. json: jsonb refuses some valid JSON (\u0000). */
  @Column({ type: 'json', nullable: true })
  object!: object | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}
