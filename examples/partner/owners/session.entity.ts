import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An owner who is signed in, in one browser. Signing out removes the row, so that a copied cookie ends with it. */
@Entity({ name: 'market_sessions' })
export class Session {
  /** The hash of the token in the cookie: whoever reads this table cannot sign in with it. */
  @PrimaryColumn({ type: 'text', name: 'token_hash', primaryKeyConstraintName: 'market_sessions_pkey' })
  tokenHash!: string;

  @Column({ type: 'text', name: 'owner_id' })
  ownerId!: string;

  /** By the database's clock. */
  @Column({ type: 'timestamptz', name: 'ends_at' })
  endsAt!: Date;
}
