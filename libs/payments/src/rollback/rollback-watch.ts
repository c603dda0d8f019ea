import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KEY_USABLE_MS } from '../api/limits.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { WorkSignal } from '../work/work-signal.js';
import { CommitMark } from './commit-mark.js';
import { missingTime, noticed, type KnownMark } from './notice.js';
import { recordRollback, type Rollback } from './record-rollback.js';
import { RecoveryWindows } from './recovery-windows.js';
import { ShownIdentity } from './shown-identity.js';

/** A beat costs one statement and one wait for the disk. At the default interval of the sweeps every tick has one. */
const BEAT_EVERY_MS = 2_000;
/** Longer than a deploy that restarts one process after the other lets nobody beat. */
const SILENCE_MS = 30_000;

/**
 * Notices that the database has forgotten commits: after a failover to a standby that lagged, or a restored backup. Then every store
 * gets a window of time whose payments and refunds are looked for at the service, once, whichever process was the first to see it.
 */
@Injectable()
export class RollbackWatch {
  readonly #logger = new PaymentsLog();
  /** By this process's own clock. */
  #beatenAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly mark: CommitMark,
    private readonly identity: ShownIdentity,
    private readonly windows: RecoveryWindows,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: it is time for a beat. Nothing in the database decides that. */
  get waits(): string {
    return String(performance.now() - this.#beatenAt >= BEAT_EVERY_MS);
  }

  /** A beat, whatever woke it: a look of the sweeps that failed too, since a connection may have ended with its server. */
  async runNext(): Promise<false> {
    if (!(await this.mark.beat(this.#patienceMs))) await this.look();
    this.#beatenAt = performance.now();
    return false;
  }

  /** Learns how the database is, and notices what it has forgotten: at the start, and where it is not as this process knows it. */
  async look(): Promise<void> {
    await this.identity.learn();
    const { state, news } = await this.database
      .transaction((manager) => this.#look(manager))
      .catch((error: unknown) => {
        this.identity.heed(error);
        throw error;
      });
    this.mark.remember(state);
    this.#beatenAt = performance.now();
    if (news === null) return;
    // Deliveries, and recoveries.
    this.signal.wake();
    this.#log(news);
  }

  async #look(manager: EntityManager): Promise<{ state: KnownMark; news: Rollback | null }> {
    const { known } = this.mark;
    const found = await this.mark.look(manager);
    const { epochs, now: seenAt } = found;
    const reason = noticed(known, found, this.#patienceMs);
    // A beat of a process without sweeps would hide that nobody else was there.
    if (reason === null && !this.#sweeps) return { state: { ...found.row, epochs, seenAt }, news: null };
    const state = {
      ...found.row,
      ...(await this.mark.write(manager, found, reason !== null)),
      epochs,
      seenAt,
    };
    if (reason === null) return { state, news: null };
    const time = missingTime(known, found);
    const news = { epoch: state.epoch, ...time, reason };
    await this.windows.endLeases(manager);
    const [storeId] = await this.windows.open(manager, news);
    // Whether a silence cost something is not known before the service's lists have been read.
    if (storeId !== undefined && reason !== 'silence')
      await recordRollback(manager, this.database, storeId, news);
    return { state: { ...state, epochs: [...epochs, { id: state.epoch, ...time }] }, news };
  }

  #log({ from, to, reason }: Rollback): void {
    const since = from.toISOString();
    const looked =
      'what the service made since then is looked for, and operator.recoveries() shows how far that is';
    switch (reason) {
      case 'commits_lost':
        return this.#logger.error(
          `The database has forgotten commits: it is as it was at ${since}, and this process has seen later ones; ${looked}.`,
        );
      case 'server_changed':
        return this.#logger.warn(
          `The database is on another server, as after a restored backup: commits after ${since} may be missing; ${looked}.`,
        );
      case 'timeline_changed':
        return this.#logger.warn(
          `The database is on another timeline, as after the promotion of a standby: commits after ${since} may be missing; ${looked}.`,
        );
      case 'silence':
        return this.#logger.log(
          `No process has reached the database from ${since} to ${to.toISOString()}. In case it is an older copy, ${looked}.`,
        );
    }
  }

  get #sweeps(): boolean {
    return this.options.sweepIntervalMs !== null;
  }

  /**
   * A process without sweeps does not beat, and there may be nobody who does: it suspects a silence only once the keys of its time are
   * forgotten, since until then they protect what it does.
   */
  get #patienceMs(): number {
    const { sweepIntervalMs } = this.options;
    return sweepIntervalMs === null ? KEY_USABLE_MS : SILENCE_MS + 2 * sweepIntervalMs;
  }
}
