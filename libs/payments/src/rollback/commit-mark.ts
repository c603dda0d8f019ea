import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KEY_USABLE_MS } from '../api/limits.js';
import { DATABASE_NOW, plusMs } from '../common/clock.js';
import { Database, TERMS } from '../database/database.js';
import type { SeenMark } from '../payment/change.js';
import { PaymentsCommitMarkEntity } from '../schema/commit-mark.entity.js';
import { PaymentsRecoveryEntity } from '../schema/recovery.entity.js';
import type { Epoch, KnownMark, MarkState, ServerIdentity, Sight } from './notice.js';
import { ShownIdentity } from './shown-identity.js';

/** The row as a look found it, locked. */
export interface FoundMark extends Sight {
  /** See {@link PaymentsCommitMarkEntity.storeSeed}. */
  readonly storeSeed: string;
}

/** Of epochs, as far as a split may go back. */
const EPOCHS = 20;

/** The columns of a look. */
type Row = MarkState &
  ServerIdentity &
  Omit<FoundMark, 'row' | 'epochs'> & {
    readonly epochs: readonly { readonly id: string; readonly from: string; readonly to: string }[] | null;
  };

/**
 * The mark that processes count up in the database, and what this process knows of it. A process that outlives its database's
 * failover still knows which commits there were.
 */
@Injectable()
export class CommitMark {
  #known: KnownMark | null = null;
  #storeSeed: string | null = null;

  constructor(
    private readonly database: Database,
    private readonly identity: ShownIdentity,
  ) {}

  get known(): KnownMark | null {
    return this.#known;
  }

  /** Of a transaction that is committed by now. `storeSeed`: of whose stores this process knows from now on. */
  remember(state: KnownMark, storeSeed: string): void {
    this.#known = state;
    this.#storeSeed = storeSeed;
  }

  /** Whether the stores that this process knows were given up since. */
  isReplaced(storeSeed: string): boolean {
    return this.#storeSeed !== null && this.#storeSeed !== storeSeed;
  }

  /** How far others have counted, of a process that may never count, and when: what is older than that has forgotten commits. */
  saw({ epoch, counter, at }: SeenMark): void {
    const known = this.#known;
    if (known?.epoch !== epoch) return;
    const seenAt = new Date(Math.max(known.seenAt.getTime(), Date.parse(at)));
    this.#known = { ...known, counter: Math.max(known.counter, counter), seenAt };
  }

  /** SQL of what {@link saw} is given. */
  get seen(): string {
    return `(SELECT json_build_object('epoch', epoch, 'counter', counter, 'at', ${this.database.now}) FROM ${this.#table} WHERE id = 1)`;
  }

  /**
   * Counts the mark up if all is as this process knows it; false: it is not, so somebody has to look. One statement. A beat that is
   * answered late, or twice, only counts further.
   */
  async beat(patienceMs: number): Promise<boolean> {
    const known = this.#known;
    if (known === null) return false;
    await this.identity.learn();
    try {
      const { rows } = await this.database.statement<{ counter: number; seenAt: Date }>(
        `WITH ${TERMS}, ${this.#shown}
         UPDATE ${this.#table} mark SET counter = mark.counter + 1, ${this.#beatNow}
         FROM terms, shown
         WHERE mark.id = 1 AND mark.epoch = $1 AND mark.counter >= $2::bigint AND ${isSame('timeline')} AND ${this.#isInPlace('shown')}
           AND mark.beat_at >= ${DATABASE_NOW} - $3::float8 * interval '1 millisecond'
         RETURNING mark.counter::float8 AS counter, mark.reached_at AS "seenAt"`,
        [known.epoch, known.counter, patienceMs],
        { isQuiet: true },
      );
      const [row] = rows;
      if (row) this.#known = { ...known, ...row };
      return row !== undefined;
    } catch (error) {
      this.identity.heed(error);
      throw error;
    }
  }

  /** The row, locked until the transaction ends; at the very first start it is made. {@link ShownIdentity.learn} comes before. */
  async look(manager: EntityManager): Promise<FoundMark> {
    await manager.query(
      `WITH ${this.#shown} INSERT INTO ${this.#table} (id, epoch, epoch_number, counter, beat_at, reached_at, store_seed, system_identifier, timeline, database, installation)
       SELECT 1, gen_random_uuid(), 1, 0, ${DATABASE_NOW}, ${this.database.now}, gen_random_uuid(), shown.* FROM shown
       ON CONFLICT (id) DO NOTHING`,
    );
    const [row] = await manager.query<Row[]>(
      `WITH ${this.#shown}
       SELECT mark.epoch, mark.epoch_number AS "epochNumber", mark.counter::float8 AS counter, mark.reached_at AS "reachedAt",
         mark.store_seed AS "storeSeed", mark.system_identifier AS "systemIdentifier", mark.timeline, mark.database, mark.installation,
         json_build_object('systemIdentifier', shown.system_identifier, 'timeline', shown.timeline, 'database', shown.database,
           'installation', shown.installation) AS shown,
         (extract(epoch FROM ${DATABASE_NOW} - mark.beat_at) * 1000)::float8 AS "silentMs", ${this.database.now} AS now,
         ${this.#epochs} AS epochs
       FROM ${this.#table} mark, shown WHERE mark.id = 1 FOR UPDATE OF mark`,
    );
    if (!row) throw new Error('The commit mark was removed as it was being read.');
    const { shown, epochs, silentMs, reachedAt, now, storeSeed, ...found } = row;
    return {
      row: found,
      shown,
      epochs: (epochs ?? []).map(({ id, from, to }): Epoch => ({
        id,
        from: new Date(from),
        to: new Date(to),
      })),
      silentMs,
      reachedAt,
      now,
      storeSeed,
    };
  }

  /** Of this database, whatever it has forgotten since its first start: see {@link PaymentsCommitMarkEntity.storeSeed}. */
  async storeSeed(manager: EntityManager): Promise<string> {
    const { storeSeed } = await manager.findOneByOrFail(PaymentsCommitMarkEntity, { id: 1 });
    return storeSeed;
  }

  /** Counts the locked row up, on the server that was asked, in its epoch or the next. */
  async write(manager: EntityManager, { row, shown }: Sight, isNextEpoch: boolean): Promise<MarkState> {
    // Higher than what this process knows too: the row may be from before several epochs.
    const number = Math.max(row.epochNumber, this.#known?.epochNumber ?? 0) + 1;
    const [[written]] = await manager.query<[MarkState[], number]>(
      `UPDATE ${this.#table} SET counter = counter + 1, ${this.#beatNow},
         epoch = ${isNextEpoch ? 'gen_random_uuid()' : 'epoch'}, epoch_number = $1,
         system_identifier = COALESCE($2, system_identifier), timeline = COALESCE($3, timeline),
         database = COALESCE($4, database), installation = COALESCE($5, installation)
       WHERE id = 1
       RETURNING epoch, epoch_number AS "epochNumber", counter::float8 AS counter`,
      [
        isNextEpoch ? number : row.epochNumber,
        shown.systemIdentifier,
        shown.timeline,
        shown.database,
        shown.installation,
      ],
    );
    if (!written) throw new Error('The commit mark was removed as it was being written.');
    return written;
  }

  /** What a statement compares that must not be carried out on a database that has forgotten commits: see {@link isExpected}. */
  get expected(): readonly [epoch: string, counter: number] {
    if (this.#known === null) throw new Error('The commit mark is not read yet.');
    return [this.#known.epoch, this.#known.counter];
  }

  /**
   * SQL condition: the database is none that has forgotten what this process knows, as far as one row says, nor a copy from before the
   * keys that the service still knows, of which a new process knows nothing. The parameters are those of {@link expected}. Where it is
   * false, somebody has to look.
   */
  isExpected(epoch: string, counter: string): string {
    return `EXISTS (SELECT FROM ${this.#table} mark WHERE mark.id = 1 AND mark.epoch = ${epoch}::uuid AND mark.counter >= ${counter}::bigint
      AND mark.beat_at >= ${plusMs(DATABASE_NOW, -KEY_USABLE_MS)}
      AND COALESCE(mark.timeline = ${this.identity.ways.timeline}, true) AND ${this.#isInPlace(null)})`;
  }

  /** What {@link isConfirmed} compares; null: this process has not looked yet. */
  get ownSeed(): string | null {
    return this.#storeSeed;
  }

  /**
   * SQL condition: the database is where its mark was written, or a person has said which it is; and the stores that this process works
   * for are its own. The parameter is {@link ownSeed}.
   */
  isConfirmed(seed: string): string {
    return `EXISTS (SELECT FROM ${this.#table} mark WHERE mark.id = 1 AND mark.store_seed = COALESCE(${seed}::uuid, mark.store_seed) AND ${this.#isInPlace(null)})`;
  }

  /** Before a statement that asks the server who it is. */
  learn(): Promise<void> {
    return this.identity.learn();
  }

  /** SQL (FROM …) of the row `mark` where a person has to say which database it is, and of none elsewhere. */
  get elsewhere(): string {
    return `${this.#table} mark WHERE mark.id = 1 AND NOT (${this.#isInPlace(null)})`;
  }

  /** Makes a detached copy of it: other ids, keys and webhook addresses. The row is locked, and written anew after that. */
  async renew(manager: EntityManager): Promise<void> {
    await manager.query(`UPDATE ${this.#table} SET store_seed = gen_random_uuid() WHERE id = 1`);
  }

  /** SQL condition, as {@link otherPlace} says it. `shown`: a row that has what the server shows; null: the server is asked. */
  #isInPlace(shown: 'shown' | null): string {
    const { systemIdentifier, database, installation } = this.identity.ways;
    const ways = { system_identifier: systemIdentifier, database, installation };
    return Object.entries(ways)
      .map(
        ([column, way]) => `COALESCE(mark.${column} = ${shown === null ? way : `${shown}.${column}`}, true)`,
      )
      .join(' AND ');
  }

  /** SQL of a CTE. */
  get #shown(): string {
    const { systemIdentifier, timeline, database, installation } = this.identity.ways;
    return `shown AS MATERIALIZED (SELECT ${systemIdentifier} AS system_identifier, ${timeline} AS timeline, ${database} AS database,
      ${installation} AS installation)`;
  }

  /** SQL of the newest epochs by the windows of one store, which has one for each. */
  get #epochs(): string {
    const windows = this.database.table(PaymentsRecoveryEntity);
    return `(SELECT json_agg(json_build_object('id', epoch, 'from', from_at, 'to', to_at) ORDER BY to_at) FROM (
           SELECT epoch, from_at, to_at FROM ${windows} WHERE epoch IS NOT NULL AND store_id = (
             SELECT store_id FROM ${windows} WHERE epoch IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT 1)
           ORDER BY to_at DESC LIMIT ${EPOCHS}) newest)`;
  }

  get #beatNow(): string {
    return `beat_at = ${DATABASE_NOW}, reached_at = ${this.database.now}`;
  }

  get #table(): string {
    return this.database.table(PaymentsCommitMarkEntity);
  }
}

/** SQL condition: what the server shows is what the row says, or one of them says nothing. */
function isSame(column: string): string {
  return `COALESCE(mark.${column} = shown.${column}, true)`;
}
