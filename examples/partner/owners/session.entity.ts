import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who is signed in, in one browser. Signing out removes it, so that a cookie that was copied ends with it. */
@Entity({ name: 'market_sessions' })
export class Session {
  /** Of the token in the cookie: whoever reads this table cannot sign in with it. */
  @PrimaryColumn({ type: 'text', name: 'token_hash', primaryKeyConstraintName: 'market_sessions_pkey' })
  tokenHash!: string;

  @Column({ type: 'text', name: 'owner_id' })
  ownerId!: string;

  /** By the database's clock. */
  @Column({ type: 'timestamptz', name: 'ends_at' })
  endsAt!: Date;
}
