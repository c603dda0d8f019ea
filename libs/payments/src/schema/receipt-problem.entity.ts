import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { PaymentsPaymentEntity } from './payment.entity.js';
import { PaymentsReceiptEntity } from './receipt.entity.js';
import { PaymentsRefundEntity } from './refund.entity.js';
import { PaymentsStoreEntity } from './store.entity.js';

/** How a person ended it. */
export interface ReceiptResolution {
  readonly by: string;
  readonly note: string;
  readonly at: string;
  /** The key of the attempt that took its place. Not given: it was made by hand, or otherwise dealt with. */
  readonly sentAgainAs?: string;
}

/**
 * A receipt that is a matter for a person: its registration failed, or takes too long. Most receipts never get here. Only
 * payment/receipts/receipt-status.ts and operator/receipts/receipt-problems.ts write it.
 */
@Entity({ name: 'payments_receipt_problems' })
@Index('payments_receipt_problems_payment_key', ['paymentId'], {
  unique: true,
  where: '"refund_id" IS NULL AND "receipt_id" IS NULL',
})
@Index('payments_receipt_problems_refund_key', ['refundId'], {
  unique: true,
  where: '"refund_id" IS NOT NULL AND "receipt_id" IS NULL',
})
@Index('payments_receipt_problems_receipt_key', ['receiptId'], {
  unique: true,
  where: '"receipt_id" IS NOT NULL',
})
@Index('payments_receipt_problems_payment_idx', ['paymentId'])
@Index('payments_receipt_problems_open_idx', ['storeId', 'since'], { where: '"is_open"' })
@Check(
  'payments_receipt_problems_status_check',
  `"status" IN ('missing', 'pending', 'succeeded', 'canceled')`,
)
export class PaymentsReceiptProblemEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_receipt_problems_pkey' })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_receipt_problems_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  @Column({ type: 'uuid', name: 'payment_id' })
  paymentId!: string;

  @ManyToOne(() => PaymentsPaymentEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payments_receipt_problems_payment_fkey' })
  payment?: Relation<PaymentsPaymentEntity>;

  /** The refund whose receipt it is; null: the payment's own. */
  @Column({ type: 'uuid', name: 'refund_id', nullable: true })
  refundId!: string | null;

  @ManyToOne(() => PaymentsRefundEntity, { nullable: true, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'refund_id', foreignKeyConstraintName: 'payments_receipt_problems_refund_fkey' })
  refund?: Relation<PaymentsRefundEntity> | null;

  /** The receipt of its own; null: it went with the money. */
  @Column({ type: 'uuid', name: 'receipt_id', nullable: true })
  receiptId!: string | null;

  @ManyToOne(() => PaymentsReceiptEntity, { nullable: true, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'receipt_id', foreignKeyConstraintName: 'payments_receipt_problems_receipt_fkey' })
  receipt?: Relation<PaymentsReceiptEntity> | null;

  /** `pending`: late; `canceled`: failed; `missing`: owed, and nobody has said what is on it; `succeeded`: registered after all. */
  @Column({ type: 'text' })
  status!: 'missing' | 'pending' | 'succeeded' | 'canceled';

  /** Nobody has resolved it, and it is not registered. */
  @Column({ type: 'boolean', name: 'is_open' })
  isOpen!: boolean;

  /** When it became one, in business time. */
  @Column({ type: 'timestamptz' })
  since!: Date;

  @Column({ type: 'jsonb', nullable: true })
  resolution!: ReceiptResolution | null;
}
