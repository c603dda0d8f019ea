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
import { PaymentsPaymentEntity } from './payment.entity.js';
import { PaymentsReceiptEntity } from './receipt.entity.js';
import { PaymentsRefundEntity } from './refund.entity.js';
import { PaymentsStoreEntity } from './store.entity.js';

export type OperationKind = 'create' | 'capture' | 'cancel' | 'refund' | 'receipt';

/**
 * - null: recorded; there is no attempt of unknown outcome
 * - `unknown`: an attempt is in progress or was lost, so the service may have acted
 * - `confirmed`, `refused`: settled, for good
 */
export type OperationOutcome = 'unknown' | 'confirmed' | 'refused';

/** One request that moves money, recorded with its key and its exact bytes before it is sent. */
@Entity({ name: 'payments_operations' })
@Unique('payments_operations_key_key', ['storeId', 'idempotenceKey'])
@Index('payments_operations_one_create_key', ['paymentId'], { unique: true, where: `"kind" = 'create'` })
@Index('payments_operations_one_finish_key', ['paymentId'], {
  unique: true,
  where: `"kind" IN ('capture', 'cancel') AND ("outcome" IS NULL OR "outcome" = 'unknown')`,
})
@Index('payments_operations_one_refund_key', ['refundId'], { unique: true, where: '"refund_id" IS NOT NULL' })
@Index('payments_operations_one_receipt_key', ['receiptId'], {
  unique: true,
  where: '"receipt_id" IS NOT NULL',
})
@Index('payments_operations_payment_idx', ['paymentId'])
@Index('payments_operations_unsettled_idx', ['storeId', 'recordedAt'], {
  where: `"outcome" IS NULL OR "outcome" = 'unknown'`,
})
@Index('payments_operations_personal_idx', ['storeId', 'id'], { where: '"has_personal"' })
@Index('payments_operations_stamps_idx', ['storeId', 'firstSentAt'], {
  where: `"kind" = 'create' AND "outcome" = 'confirmed'`,
})
@Check('payments_operations_kind_check', `"kind" IN ('create', 'capture', 'cancel', 'refund', 'receipt')`)
@Check('payments_operations_receipt_check', `("kind" = 'receipt') = ("receipt_id" IS NOT NULL)`)
@Check('payments_operations_refund_check', `("kind" = 'refund') = ("refund_id" IS NOT NULL)`)
@Check('payments_operations_personal_check', `"has_personal" OR "personal" IS NULL`)
@Check('payments_operations_outcome_check', `"outcome" IN ('unknown', 'confirmed', 'refused')`)
export class PaymentsOperationEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_operations_pkey' })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_operations_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  @Column({ type: 'uuid', name: 'payment_id' })
  paymentId!: string;

  @ManyToOne(() => PaymentsPaymentEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'payment_id', foreignKeyConstraintName: 'payments_operations_payment_fkey' })
  payment?: Relation<PaymentsPaymentEntity>;

  /** The refund it requests; null for every other kind. */
  @Column({ type: 'uuid', name: 'refund_id', nullable: true })
  refundId!: string | null;

  @ManyToOne(() => PaymentsRefundEntity, { nullable: true, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'refund_id', foreignKeyConstraintName: 'payments_operations_refund_fkey' })
  refund?: Relation<PaymentsRefundEntity> | null;

  /** The receipt of its own that it sends; null for every other kind. */
  @Column({ type: 'uuid', name: 'receipt_id', nullable: true })
  receiptId!: string | null;

  @ManyToOne(() => PaymentsReceiptEntity, { nullable: true, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'receipt_id', foreignKeyConstraintName: 'payments_operations_receipt_fkey' })
  receipt?: Relation<PaymentsReceiptEntity> | null;

  @Column({ type: 'text' })
  kind!: OperationKind;

  /** At most 64 characters, sent with every attempt. */
  @Column({ type: 'text', name: 'idempotence_key' })
  idempotenceKey!: string;

  /** The request body as text, without {@link personal}: jsonb would rewrite its bytes, and another body under one key is refused. */
  @Column({ type: 'text' })
  body!: string;

  /** JSON of what the body lacks: the fields about a person. Erased once no receipt can be owed any more. */
  @Column({ type: 'text', nullable: true })
  personal!: string | null;

  /** Whether there are any: what the role that erases them may know. */
  @Column({ type: 'boolean', name: 'has_personal', default: false })
  hasPersonal!: boolean;

  /** false: it was sent with card data that is in no row, so that nobody can ever send it again. */
  @Column({ type: 'boolean', default: true })
  resendable!: boolean;

  /** SHA-256 of kind and body: proof that a repeated attempt sends what the first one sent. */
  @Column({ type: 'text' })
  fingerprint!: string;

  @Column({ type: 'text', nullable: true })
  outcome!: OperationOutcome | null;

  /** Attempts counted before each is sent; also the fence of the answer: only the newest attempt may settle. */
  @Column({ type: 'int', default: 0 })
  attempts!: number;

  /** Until when only one sender may have this request in flight, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'timestamptz', name: 'recorded_at' })
  recordedAt!: Date;

  @Column({ type: 'timestamptz', name: 'first_sent_at', nullable: true })
  firstSentAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_sent_at', nullable: true })
  lastSentAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'settled_at', nullable: true })
  settledAt!: Date | null;

  /** The last failure: error code, HTTP status, request id. Never a body, never a credential. */
  @Column({ type: 'jsonb', name: 'last_error', nullable: true })
  lastError!: object | null;
}
