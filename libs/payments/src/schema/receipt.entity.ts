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
import type { Amount } from '../common/money.js';
import type { OwnReceiptStatus, ReceiptType } from '../receipts/own-receipt.js';
import { minorColumn } from './columns.js';
import { PaymentsPaymentEntity } from './payment.entity.js';
import { PaymentsRefundEntity } from './refund.entity.js';
import { PaymentsStoreEntity } from './store.entity.js';

/**
 * A receipt that the shop sends by itself, apart from the money. `status` is written by payment/receipts/own-receipt-status.ts alone, and
 * only under the payment's lock.
 */
@Entity({ name: 'payments_receipts' })
@Unique('payments_receipts_receipt_key_key', ['paymentId', 'receiptKey'])
@Unique('payments_receipts_service_id_key', ['storeId', 'serviceId'])
@Index('payments_receipts_created_idx', ['storeId', 'createdAt'])
@Index('payments_receipts_open_idx', ['paymentId'], { where: `"status" IN ('submitting', 'pending')` })
@Check('payments_receipts_amount_check', '"amount_minor" > 0')
@Check('payments_receipts_type_check', `"type" IN ('payment', 'refund')`)
@Check(
  'payments_receipts_status_check',
  `"status" IN ('owed', 'void', 'submitting', 'rejected', 'pending', 'succeeded', 'canceled')`,
)
@Check('payments_receipts_owed_check', `("status" = 'owed') = ("body" IS NOT NULL)`)
export class PaymentsReceiptEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_receipts_pkey' })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_receipts_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  @Column({ type: 'uuid', name: 'payment_id' })
  paymentId!: string;

  @ManyToOne(() => PaymentsPaymentEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payments_receipts_payment_fkey' })
  payment?: Relation<PaymentsPaymentEntity>;

  /** The refund that it is of; null: the payment itself. */
  @Column({ type: 'uuid', name: 'refund_id', nullable: true })
  refundId!: string | null;

  @ManyToOne(() => PaymentsRefundEntity, { nullable: true, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'refund_id', foreignKeyConstraintName: 'payments_receipts_refund_fkey' })
  refund?: Relation<PaymentsRefundEntity> | null;

  /** The caller's own name for the receipt, or the module's for one that was owed. */
  @Column({ type: 'text', name: 'receipt_key' })
  receiptKey!: string;

  /** Of what its caller asked for, whatever was sent of it; null: the module's own. */
  @Column({ type: 'text', name: 'asked_digest', nullable: true })
  askedDigest!: string | null;

  @Column({ type: 'text' })
  type!: ReceiptType;

  @Column({ type: 'text' })
  status!: OwnReceiptStatus;

  @Column(minorColumn('amount_minor'))
  amountMinor!: number;

  @Column({ type: 'text' })
  currency!: Amount['currency'];

  /** What is to be sent, without the id of its money, while it is owed; then it is in its operation. */
  @Column({ type: 'text', nullable: true })
  body!: string | null;

  /** Who gets it, while it is owed. */
  @Column({ type: 'text', nullable: true })
  personal!: string | null;

  /** The service's id; null until its first answer. */
  @Column({ type: 'text', name: 'service_id', nullable: true })
  serviceId!: string | null;

  /** The object as last applied, without its items. */
  @Column({ type: 'json', nullable: true })
  object!: object | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}
