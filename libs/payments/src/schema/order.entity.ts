import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import type { Amount } from '../common/money.js';
import { minorColumn } from './columns.js';
import { PaymentsStoreEntity } from './store.entity.js';

/** Follows from the order's totals: what is kept and held, compared with what is due. */
export type OrderState = 'unpaid' | 'authorized' | 'paid' | 'partially_refunded' | 'refunded' | 'overpaid';

/** The money of the merchant's order. Totals are derived from its payments, in the transaction that changes them. */
@Entity({ name: 'payments_orders' })
@Unique('payments_orders_reference_key', ['storeId', 'reference'])
@Check(
  'payments_orders_amounts_check',
  '"total_due_minor" > 0 AND "paid_minor" >= 0 AND "held_minor" >= 0 AND "refunded_minor" >= 0',
)
export class PaymentsOrderEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_orders_pkey' })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_orders_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  /** The merchant's own name for the order. */
  @Column({ type: 'text' })
  reference!: string;

  @Column({ type: 'text' })
  currency!: Amount['currency'];

  @Column(minorColumn('total_due_minor'))
  totalDueMinor!: number;

  @Column(minorColumn('paid_minor', { default: 0 }))
  paidMinor!: number;

  @Column(minorColumn('held_minor', { default: 0 }))
  heldMinor!: number;

  @Column(minorColumn('refunded_minor', { default: 0 }))
  refundedMinor!: number;

  /** What of `totalDueMinor` is not asked for after all: granted as a discount, or let go by a capture of less. */
  @Column(minorColumn('waived_minor', { default: 0 }))
  waivedMinor!: number;

  /** The sum of its payments' discounts. */
  @Column(minorColumn('discount_minor', { default: 0 }))
  discountMinor!: number;

  /** The sum of what captures of less let go. */
  @Column(minorColumn('let_go_minor', { default: 0 }))
  letGoMinor!: number;

  @Column({ type: 'text', default: 'unpaid' })
  state!: OrderState;

  /** true: `order.paid` was raised, whatever became of the money since. */
  @Column({ type: 'boolean', name: 'was_paid', default: false })
  wasPaid!: boolean;

  /**
   * Incremented by everyone who locks the order, and so by everything that changes its payments, refunds or operations: what was
   * read under one version still holds while it is unchanged.
   */
  @Column({ type: 'int', default: 0 })
  version!: number;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}
