import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The one row that the processes of this database count up, every few seconds. What was committed before a count that is still
 * here is still here too, since PostgreSQL keeps commits in their order: so the row says since when commits may be missing.
 */
@Entity({ name: 'payments_commit_mark' })
@Check('payments_commit_mark_one_check', '"id" = 1')
export class PaymentsCommitMarkEntity {
  /** Always 1: there is one row. */
  @PrimaryColumn({
    type: 'integer',
    default: 1,
    primaryKeyConstraintName: 'payments_commit_mark_pkey',
  })
  id!: number;

  /** Another one each time that commits were found missing: who knows an earlier one learns that others have noticed. */
  @Column({ type: 'uuid' })
  epoch!: string;

  /** Grows with each epoch. Lower than a process knows: the database is as it was before that epoch. */
  @Column({ type: 'integer', name: 'epoch_number' })
  epochNumber!: number;

  @Column({ type: 'bigint' })
  counter!: string;

  /** When it was counted last, in the database's own time: whoever moves the business clock causes no silence. */
  @Column({ type: 'timestamptz', name: 'beat_at' })
  beatAt!: Date;

  /** The same moment in business time. */
  @Column({ type: 'timestamptz', name: 'reached_at' })
  reachedAt!: Date;

  /** Which server it was; null: the server does not show that to this role. */
  @Column({ type: 'text', name: 'system_identifier', nullable: true })
  systemIdentifier!: string | null;

  /** The server's timeline, another one after a standby was promoted or a backup restored; null: likewise. */
  @Column({ type: 'text', nullable: true })
  timeline!: string | null;

  /** Which database it was on that server, as `<oid> <name>`; null: not known. */
  @Column({ type: 'text', nullable: true })
  database!: string | null;

  /** The name that its host gives this installation; null: none. */
  @Column({ type: 'text', nullable: true })
  installation!: string | null;

  /** Made once for a database, and again for a copy that is detached: what a connected store's id and webhook address are derived from, so that they come again. */
  @Column({ type: 'uuid', name: 'store_seed' })
  storeSeed!: string;
}
