import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { isOneOf } from './columns.js';
import { PaymentsStoreEntity } from './store.entity.js';

/**
 * Why the commits of some time may be missing: a process has seen later ones; the server is another; its timeline is, as after a
 * promotion or a restored backup; no process reached the database for a while, as when all were stopped; requests were on their way
 * when such a time was read; or a person says so.
 */
const recoveryReasons = [
  'commits_lost',
  'server_changed',
  'timeline_changed',
  'silence',
  'in_flight',
  'requested',
] as const;
/** One of {@link recoveryReasons}. */
export type RecoveryReason = (typeof recoveryReasons)[number];

/** What a process notices by itself. */
export type NoticedReason = Exclude<RecoveryReason, 'in_flight' | 'requested'>;

export function isRecoveryReason(value: unknown): value is RecoveryReason {
  return recoveryReasons.some((reason) => reason === value);
}

/** What of a store's window is listed: its payments first, then its refunds, then its receipts. */
export type RecoveryListing = 'payments' | 'refunds' | 'receipts';

/** A time of which commits may be missing, for one store: what the service made then is to be listed and compared. */
@Entity({ name: 'payments_recoveries' })
@Index('payments_recoveries_open_idx', ['storeId', 'startedAt'], { where: '"done_at" IS NULL' })
@Index('payments_recoveries_waiting_idx', ['startedAt'], { where: '"done_at" IS NULL' })
@Index('payments_recoveries_started_idx', ['startedAt', 'id'])
@Index('payments_recoveries_unread_idx', ['storeId', 'startedAt'], {
  where: '"done_at" IS NOT NULL AND "error" IS NOT NULL',
})
@Index('payments_recoveries_epoch_key', ['storeId', 'epoch'], { unique: true })
@Check('payments_recoveries_reason_check', isOneOf('reason', recoveryReasons))
@Check('payments_recoveries_listing_check', `"listing" IN ('payments', 'refunds', 'receipts')`)
@Check('payments_recoveries_period_check', '"from_at" <= "to_at"')
export class PaymentsRecoveryEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_recoveries_pkey' })
  id!: string;

  @Column({ type: 'uuid', name: 'store_id' })
  storeId!: string;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: false, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_recoveries_store_fkey' })
  store?: Relation<PaymentsStoreEntity>;

  /** The epoch that began with it; null: a person asked for it. */
  @Column({ type: 'uuid', nullable: true })
  epoch!: string | null;

  /** In business time, like all other times here but the lease. */
  @Column({ type: 'timestamptz', name: 'from_at' })
  fromAt!: Date;

  @Column({ type: 'timestamptz', name: 'to_at' })
  toAt!: Date;

  @Column({ type: 'text' })
  reason!: RecoveryReason;

  @Column({ type: 'timestamptz', name: 'started_at' })
  startedAt!: Date;

  /** Since when the service answers its lists; null: it does not, or was not asked yet. */
  @Column({ type: 'timestamptz', name: 'first_read_at', nullable: true })
  firstReadAt!: Date | null;

  /** Null: it is still open. */
  @Column({ type: 'timestamptz', name: 'done_at', nullable: true })
  doneAt!: Date | null;

  @Column({ type: 'text', default: 'payments' })
  listing!: RecoveryListing;

  /** Where the next page of that list begins; null: with the first. */
  @Column({ type: 'text', nullable: true })
  cursor!: string | null;

  /** Payments of the service that had no row here and got one. */
  @Column({ type: 'integer', name: 'payments_adopted', default: 0 })
  paymentsAdopted!: number;

  /** Payments that have a refund which was not known here as the window began, or in another status. */
  @Column({ type: 'integer', name: 'payments_with_refunds', default: 0 })
  paymentsWithRefunds!: number;

  /** Why it could not be listed. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  /** Until when only one process may work on it, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'lease_until', nullable: true })
  leaseUntil!: Date | null;

  @Column({ type: 'integer', default: 0 })
  fence!: number;
}
