import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KEY_USABLE_MS } from '../api/limits.js';
import { PaymentsLog } from '../common/payments-log.js';
import { PaymentsConfigurationError, UnconfirmedDatabaseError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { WorkSignal } from '../work/work-signal.js';
import { CommitMark, type FoundMark } from './commit-mark.js';
import { detachCopy, type Detached } from './detachment.js';
import { decideLook, type KnownMark, type OtherPlace } from './notice.js';
import { inWords } from './other-place-words.js';
import { recordRollback, type Rollback } from './record-rollback.js';
import { endRecoveryLeases, openWindows } from './recovery-windows.js';
import { ShownIdentity } from './shown-identity.js';

/** A beat costs one statement and one wait for the disk. At the default interval of the sweeps every tick has one. */
const BEAT_EVERY_MS = 2_000;
/** Longer than a deploy that restarts one process after the other lets nobody beat. */
const SILENCE_MS = 30_000;

/** The result of a look. */
interface Looked {
  readonly found: FoundMark;
  readonly state: KnownMark;
  readonly news: Rollback | null;
  /** What a person has to say; null: nothing. */
  readonly other: OtherPlace | null;
}

/**
 * Notices that the database has forgotten commits: after a failover to a standby that lagged, or a restored backup. Then every store
 * gets a window of time whose payments and refunds are looked for at the service, once, whichever process was the first to see it. A
 * database that may be a copy is held until a person has said what it is.
 */
@Injectable()
export class RollbackWatch {
  readonly #logger = new PaymentsLog();
  /** By this process's own clock. */
  #beatenAt = -Infinity;
  #other: OtherPlace | null = null;

  constructor(
    private readonly database: Database,
    private readonly mark: CommitMark,
    private readonly identity: ShownIdentity,
    private readonly signal: WorkSignal,
    private readonly stores: StoreRegistry,
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

  /**
   * The first {@link look} of a process.
   * @throws PaymentsConfigurationError if the database is a named installation's, and this process has no name: it may be a copy
   */
  async begin(): Promise<void> {
    const { found } = await this.look();
    const { installation } = found.row;
    if (installation === null || found.shown.installation !== null) return;
    throw new PaymentsConfigurationError([
      `the database is of the installation ${installation}, and this process has no name: set installation, to ${installation} if it belongs ` +
        'to that one, to another name if the database is a copy of it',
    ]);
  }

  /** As the last look has found it: a person has to say what the database is. */
  get isHeld(): boolean {
    return this.#other !== null;
  }

  /** @throws UnconfirmedDatabaseError likewise */
  mustBeConfirmed(): void {
    if (this.#other !== null) throw new UnconfirmedDatabaseError(inWords(this.#other));
  }

  /** A person says that this database goes on as the original. What was lost since it was written is looked for; null: nobody asked. */
  async goOn(): Promise<Rollback | null> {
    const { other } = await this.#see(false);
    return other === null ? null : (await this.#see(true)).news;
  }

  /** A person says that this database is a copy. null: nothing says that it is. */
  async detach(): Promise<Detached | null> {
    const detached = await detachCopy(this.database, this.mark, this.identity);
    await this.#see(false);
    return detached;
  }

  /** Learns how the database is, and notices what it has forgotten: at the start, and where it is not as this process knows it. */
  async look(): Promise<Looked> {
    const { unconfirmedDatabase: answer } = this.options;
    const looked = await this.#see(answer === 'continue');
    if (looked.other === null || answer !== 'detach') return looked;
    await detachCopy(this.database, this.mark, this.identity);
    return this.#see(false);
  }

  async #see(goesOn: boolean): Promise<Looked> {
    await this.identity.learn();
    const looked = await this.database
      .transaction((manager) => this.#look(manager, goesOn))
      .catch((error: unknown) => {
        this.identity.heed(error);
        throw error;
      });
    const { found, state, news, other } = looked;
    // Before anything is done under the ids that it has now.
    if (this.mark.isReplaced(found.storeSeed) && this.stores.isOpen) await this.stores.open();
    this.mark.remember(state, found.storeSeed);
    this.#beatenAt = performance.now();
    this.#tell(other);
    if (news === null) return looked;
    // Deliveries, and recoveries.
    this.signal.wake();
    this.#log(news);
    return looked;
  }

  async #look(manager: EntityManager, goesOn: boolean): Promise<Looked> {
    const { known } = this.mark;
    const found = await this.mark.look(manager);
    const { epochs, now: seenAt } = found;
    const asFound = { ...found.row, epochs, seenAt };
    const terms = { goesOn, patienceMs: this.#patienceMs, sweeps: this.#sweeps };
    const { other, isCounted, missing } = decideLook(known, found, terms);
    // What this process knows of the original says nothing of a copy, nor the other way round.
    if (other !== null) return { found, state: known ?? asFound, news: null, other };
    if (!isCounted) return { found, state: asFound, news: null, other };
    const state = { ...asFound, ...(await this.mark.write(manager, found, missing !== null)) };
    if (missing === null) return { found, state, news: null, other };
    const { epoch: id } = state;
    const { from, to } = missing;
    const news = { epoch: id, ...missing };
    await endRecoveryLeases(this.database, manager);
    const [storeId] = await openWindows(this.database, manager, news);
    // Whether a silence cost something is not known before the service's lists have been read.
    if (storeId !== undefined && missing.reason !== 'silence')
      await recordRollback(manager, this.database, storeId, news);
    return { found, state: { ...state, epochs: [...epochs, { id, from, to }] }, news, other };
  }

  /** Once, as long as it stays so. */
  #tell(other: OtherPlace | null): void {
    const before = this.#other;
    this.#other = other;
    if (other !== null && before === null)
      this.#logger.error(
        `${inWords(other)} No payments are taken or moved, and no handler runs, until a person says which it is: "npx @holdfast/payments ` +
          'continue" where this database goes on (a restored backup, a move), "npx @holdfast/payments detach" where it is a copy beside the original.',
      );
    if (other !== null || before === null) return;
    this.#logger.log('The database is confirmed: payments go on.');
    // Whoever was answered, all that waited is due here.
    this.signal.wake();
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
          `The database is another one than before, as after a restored backup: commits after ${since} may be missing; ${looked}.`,
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
