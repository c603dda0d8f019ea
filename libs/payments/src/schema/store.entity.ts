import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { isOneOf } from './columns.js';

/**
 * Whether a store's token can be used: `needs_reconnect` if the service no longer accepts it, `disconnected` if its owner left.
 */
const storeStatuses = ['connected', 'needs_reconnect', 'disconnected'] as const;
/** One of {@link storeStatuses}. */
export type StoreStatus = (typeof storeStatuses)[number];

/** The kind of a store: `own`, the shop's, with credentials from the host; `connected`, another owner's, by a token. */
export type StoreKind = 'own' | 'connected';

/** A store at the service: the shop's own, or one that its owner has connected. */
@Entity({ name: 'payments_stores' })
@Unique('payments_stores_account_key', ['accountId'])
@Unique('payments_stores_webhook_key_key', ['webhookKey'])
// Handlers are known by their id alone: two shops on the same tables would run each other's.
@Index('payments_stores_own_key', ['kind'], { unique: true, where: `"kind" = 'own'` })
@Index('payments_stores_maintenance_idx', ['maintenanceAt'], { where: '"maintenance_at" IS NOT NULL' })
@Index('payments_stores_refund_watch_idx', ['refundWatchAt'], { where: `"status" = 'connected'` })
@Index('payments_stores_retention_idx', ['retentionAt'])
@Index('payments_stores_left_idx', ['id'], { where: `"status" <> 'connected'` })
@Check('payments_stores_kind_check', `"kind" = 'own' OR "kind" = 'connected' AND "webhook_key" IS NOT NULL`)
@Check('payments_stores_status_check', isOneOf('status', storeStatuses))
export class PaymentsStoreEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payments_stores_pkey' })
  id!: string;

  /** The store's identifier at the service (`recipient.account_id`). */
  @Column({ type: 'text', name: 'account_id' })
  accountId!: string;

  @Column({ type: 'text' })
  kind!: StoreKind;

  /** The app's access token for the store, encrypted by the TokenVault; null: the store is the shop's own. */
  @Column({ type: 'text', name: 'encrypted_token', nullable: true })
  encryptedToken!: string | null;

  /** The shop's own is always connected. */
  @Column({ type: 'text', default: 'connected' })
  status!: StoreStatus;

  /** Identifies the store in its webhook address, so that no body chooses whose credentials are used; null: the shop's own. */
  @Column({ type: 'text', name: 'webhook_key', nullable: true })
  webhookKey!: string | null;

  /** The host's own reference of the owner who connected it; null: the shop's own, or one that the database has forgotten. */
  @Column({ type: 'text', name: 'owner_ref', nullable: true })
  ownerRef!: string | null;

  /** When its owner connected it last, in business time; null: the shop's own, or the database has forgotten it. */
  @Column({ type: 'timestamptz', name: 'connected_at', nullable: true })
  connectedAt!: Date | null;

  /** When its token ends, in business time. */
  @Column({ type: 'timestamptz', name: 'token_expires_at', nullable: true })
  tokenExpiresAt!: Date | null;

  /** When it was announced that its token ends soon; null: not yet. */
  @Column({ type: 'timestamptz', name: 'expiry_announced_at', nullable: true })
  expiryAnnouncedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** Whether the service lets it take payments; null: it did not say. */
  @Column({ type: 'boolean', nullable: true })
  enabled!: boolean | null;

  /** Methods it can take, in the interface's words; null: the service did not say. */
  @Column({ type: 'jsonb', name: 'payment_methods', nullable: true })
  paymentMethods!: readonly string[] | null;

  /** Whether it registers receipts through the service; null: the service did not say. */
  @Column({ type: 'boolean', name: 'fiscalization_enabled', nullable: true })
  fiscalizationEnabled!: boolean | null;

  /** Who registers them, in the service's words; null: nobody, or it did not say. */
  @Column({ type: 'text', name: 'fiscalization_provider', nullable: true })
  fiscalizationProvider!: string | null;

  /** When its token, settings and webhooks are checked next, in business time; null: there is nothing to check. */
  @Column({ type: 'timestamptz', name: 'maintenance_at', nullable: true })
  maintenanceAt!: Date | null;

  /** Until when only one process may do so, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'maintenance_lease_until', nullable: true })
  maintenanceLeaseUntil!: Date | null;

  @Column({ type: 'integer', name: 'maintenance_fence', default: 0 })
  maintenanceFence!: number;

  /** Whether it moves test money only, as the service says or first answered; null: the account id decides, or the first answer will. */
  @Column({ type: 'boolean', nullable: true })
  test!: boolean | null;

  /** Up to when the watch has seen the store's refunds, in business time; null: since the store was opened. */
  @Column({ type: 'timestamptz', name: 'refunds_seen_to', nullable: true })
  refundsSeenTo!: Date | null;

  /** When the watch looks next, in business time. */
  @Column({ type: 'timestamptz', name: 'refund_watch_at', default: () => 'now()' })
  refundWatchAt!: Date;

  /** Until when only one process may watch, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'refund_watch_lease_until', nullable: true })
  refundWatchLeaseUntil!: Date | null;

  /** When old rows are removed next, in business time. */
  @Column({ type: 'timestamptz', name: 'retention_at', default: () => 'now()' })
  retentionAt!: Date;

  /** Until when only one process may remove them, in the database's own time. */
  @Column({ type: 'timestamptz', name: 'retention_lease_until', nullable: true })
  retentionLeaseUntil!: Date | null;

  /** Consecutive changes that polls found without a notification; more than a few: notifications do not arrive. */
  @Column({ type: 'int', name: 'unannounced_changes', default: 0 })
  unannouncedChanges!: number;

  /** Since when, in business time; null if the last change was notified. Changes before it do not count: webhooks were missing. */
  @Column({ type: 'timestamptz', name: 'unannounced_since', nullable: true })
  unannouncedSince!: Date | null;

  /** Since when it is the original's alone, and only read here: this database is a copy that was detached. Null: it is ours. */
  @Column({ type: 'timestamptz', name: 'detached_at', nullable: true })
  detachedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}

/** SQL condition on a store's row: it was forgotten and recorded again, and its owner has not connected it yet. */
export function isForgottenStore(alias: string): string {
  return `${alias}.status = 'needs_reconnect' AND ${alias}.connected_at IS NULL`;
}
