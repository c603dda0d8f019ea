import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** A store at the service: the shop's own, found by its account id. */
@Entity({ name: 'payments_stores' })
@Unique('payments_stores_account_key', ['accountId'])
export class StoreEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_stores_pkey' })
  id!: string;

  /** The store's identifier at the service (`recipient.account_id`, section 2.8). */
  @Column({ type: 'text', name: 'account_id' })
  accountId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
