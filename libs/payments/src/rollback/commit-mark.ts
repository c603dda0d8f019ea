import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KEY_USABLE_MS } from '../api/limits.js';
import { DATABASE_NOW, plusMs } from '../common/clock.js';
import { Database, TERMS } from '../database/database.js';
import { CommitMarkEntity } from '../schema/commit-mark.entity.js';
import { RecoveryEntity } from '../schema/recovery.entity.js';
import type { Epoch, KnownMark, MarkState, ServerIdentity, Sight } from './notice.js';
import { ShownIdentity } from './shown-identity.js';

/** Of epochs, as far as a split may go back. */
const EPOCHS = 20;

/** The columns of a look. */
type Columns = MarkState & ServerIdentity & Pick<Sight, 'silentMs' | 'reachedAt' | 'now'>;

/** What a statement saw of the row beside what it did; when, in business time. */
export type SeenMark = Pick<MarkState, 'epoch' | 'counter'> & { readonly at: string };

interface Row extends Columns {
  readonly shownSystemIdentifier: string | null;
  readonly shownTimeline: string | null;
  readonly epochs: readonly { readonly id: string; readonly from: string; readonly to: string }[] | null;
}

/**
 * The mark that processes count up in the database, and what this process knows of it. A process that outlives its database's
 * failover still knows which commits there were.
 */
@Injectable()
export class CommitMark {
  #known: KnownMark | null = null;

  constructor(
    private readonly database: Database,
    private readonly identity: ShownIdentity,
  ) {}

  get known(): KnownMark | null {
    return this.#known;
  }

  /** Of a transaction that is committed by now. */
  remember(state: KnownMark): void {
    this.#known = state;
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
         WHERE mark.id = 1 AND mark.epoch = $1 AND mark.counter >= $2::bigint AND ${isSame('system_identifier')} AND ${isSame('timeline')}
           AND mark.beat_at >= ${DATABASE_NOW} - $3::float8 * interval '1 millisecond'
         RETURNING mark.counter::float8 AS counter, mark.reached_at AS "seenAt"`,
        [known.epoch, known.counter, patienceMs],
      );
      const [row] = rows;
      if (row) this.remember({ ...known, ...row });
      return row !== undefined;
    } catch (error) {
      this.identity.heed(error);
      throw error;
    }
  }

  /** The row, locked until the transaction ends; at the very first start it is made. {@link ShownIdentity.learn} comes before. */
  async look(manager: EntityManager): Promise<Sight> {
    await manager.query(
      `WITH ${this.#shown} INSERT INTO ${this.#table} (id, epoch, epoch_number, counter, beat_at, reached_at, store_seed, system_identifier, timeline)
       SELECT 1, gen_random_uuid(), 1, 0, ${DATABASE_NOW}, ${this.database.now}, gen_random_uuid(), shown.system_identifier, shown.timeline FROM shown
       ON CONFLICT (id) DO NOTHING`,
    );
    const [row] = await manager.query<Row[]>(
      `WITH ${this.#shown}
       SELECT mark.epoch, mark.epoch_number AS "epochNumber", mark.counter::float8 AS counter, mark.reached_at AS "reachedAt",
         mark.system_identifier AS "systemIdentifier", mark.timeline,
         shown.system_identifier AS "shownSystemIdentifier", shown.timeline AS "shownTimeline",
         (extract(epoch FROM ${DATABASE_NOW} - mark.beat_at) * 1000)::float8 AS "silentMs", ${this.database.now} AS now,
         ${this.#epochs} AS epochs
       FROM ${this.#table} mark, shown WHERE mark.id = 1 FOR UPDATE OF mark`,
    );
    if (!row) throw new Error('The commit mark was removed as it was being read.');
    const { shownSystemIdentifier, shownTimeline, epochs, silentMs, reachedAt, now, ...found } = row;
    return {
      row: found,
      shown: { systemIdentifier: shownSystemIdentifier, timeline: shownTimeline },
      epochs: (epochs ?? []).map(({ id, from, to }): Epoch => ({
        id,
        from: new Date(from),
        to: new Date(to),
      })),
      silentMs,
      reachedAt,
      now,
    };
  }

  /** Of this database, whatever it has forgotten since its first start: see {@link CommitMarkEntity.storeSeed}. */
  async storeSeed(manager: EntityManager): Promise<string> {
    const { storeSeed } = await manager.findOneByOrFail(CommitMarkEntity, { id: 1 });
    return storeSeed;
  }

  /** Counts the locked row up, on the server that was asked, in its epoch or the next. */
  async write(manager: EntityManager, { row, shown }: Sight, isNextEpoch: boolean): Promise<MarkState> {
    // Higher than what this process knows too: the row may be from before several epochs.
    const number = Math.max(row.epochNumber, this.#known?.epochNumber ?? 0) + 1;
    const [[written]] = await manager.query<[MarkState[], number]>(
      `UPDATE ${this.#table} SET counter = counter + 1, ${this.#beatNow},
         epoch = ${isNextEpoch ? 'gen_random_uuid()' : 'epoch'}, epoch_number = $1,
         system_identifier = COALESCE($2, system_identifier), timeline = COALESCE($3, timeline)
       WHERE id = 1
       RETURNING epoch, epoch_number AS "epochNumber", counter::float8 AS counter`,
      [isNextEpoch ? number : row.epochNumber, shown.systemIdentifier, shown.timeline],
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
      AND COALESCE(mark.timeline = ${this.identity.ways.timeline}, true))`;
  }

  /** SQL of a CTE. */
  get #shown(): string {
    const { systemIdentifier, timeline } = this.identity.ways;
    return `shown AS MATERIALIZED (SELECT ${systemIdentifier} AS system_identifier, ${timeline} AS timeline)`;
  }

  /** SQL of the newest epochs by the windows of one store, which has one for each. */
  get #epochs(): string {
    const windows = this.database.table(RecoveryEntity);
    return `(SELECT json_agg(json_build_object('id', epoch, 'from', from_at, 'to', to_at) ORDER BY to_at) FROM (
           SELECT epoch, from_at, to_at FROM ${windows} WHERE epoch IS NOT NULL AND store_id = (
             SELECT store_id FROM ${windows} WHERE epoch IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT 1)
           ORDER BY to_at DESC LIMIT ${EPOCHS}) newest)`;
  }

  get #beatNow(): string {
    return `beat_at = ${DATABASE_NOW}, reached_at = ${this.database.now}`;
  }

  get #table(): string {
    return this.database.table(CommitMarkEntity);
  }
}

/** SQL condition: what the server shows is what the row says, or one of them says nothing. */
function isSame(column: string): string {
  return `COALESCE(mark.${column} = shown.${column}, true)`;
}
