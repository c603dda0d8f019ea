import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { StoreEntity } from './store.entity.js';

/**
 * The budget of the sweeps' requests for one store. A separate row: every other row of the store refers to the store's, and would
 * wait.
 */
@Entity({ name: 'payments_store_budgets' })
export class StoreBudgetEntity {
  @PrimaryColumn({ type: 'uuid', name: 'store_id', primaryKeyConstraintName: 'payments_store_budgets_pkey' })
  storeId!: string;

  @ManyToOne(() => StoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_store_budgets_store_fkey' })
  store?: Relation<StoreEntity>;

  /** Up to when the budget of requests is spent, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'spent_to' })
  spentTo!: Date;
}
