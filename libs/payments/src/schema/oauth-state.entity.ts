import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { PaymentsStoreEntity } from './store.entity.js';

/** An owner on the way to the service and back. Kept until it expires, so that a second way back leads to the same place. */
@Entity({ name: 'payments_oauth_states' })
@Unique('payments_oauth_states_code_key', ['codeHash'])
@Index('payments_oauth_states_expires_idx', ['expiresAt'])
export class PaymentsOAuthStateEntity {
  /** SHA-256 of the state, base64url: whoever reads the table cannot use it. */
  @PrimaryColumn({ type: 'text', name: 'state_hash', primaryKeyConstraintName: 'payments_oauth_states_pkey' })
  stateHash!: string;

  /** The host's own reference of the owner who set out. */
  @Column({ type: 'text', name: 'owner_ref' })
  ownerRef!: string;

  /** A path of the host. */
  @Column({ type: 'text', name: 'return_to' })
  returnTo!: string;

  /** Whether it is a fresh start already: there is no second one. */
  @Column({ type: 'boolean', default: false })
  restarted!: boolean;

  /** In business time. */
  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;

  /** When its owner came back with it; only one request can set this. */
  @Column({ type: 'timestamptz', name: 'used_at', nullable: true })
  usedAt!: Date | null;

  /**
   * SHA-256 of the code its owner came back with, written before the service is called: no other state exchanges it again, which
   * would revoke the token it gave. Kept as long as the state, a day and more; the code is valid for five minutes.
   */
  @Column({ type: 'text', name: 'code_hash', nullable: true })
  codeHash!: string | null;

  /** Where its owner was led then; null: not known yet. */
  @Column({ type: 'text', nullable: true })
  outcome!: string | null;

  /** The store that was connected. */
  @Column({ type: 'uuid', name: 'store_id', nullable: true })
  storeId!: string | null;

  @ManyToOne(() => PaymentsStoreEntity, { nullable: true, onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'store_id', foreignKeyConstraintName: 'payments_oauth_states_store_fkey' })
  store?: Relation<PaymentsStoreEntity> | null;
}
