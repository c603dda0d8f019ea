import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import {
  PaymentInputError,
  RecoveryInProgressError,
  UnconfirmedDatabaseError,
} from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import type { SeenMark } from '../payment/change.js';
import type { RecordingTerms } from '../payment/ledger-steps.js';
import type { AdmissionSql, State } from '../payment/state.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Shared } from '../work/shared.js';
import { CommitMark } from './commit-mark.js';
import { openWindowSql, keysGoneSql, areUnread } from './recovery-windows.js';
import { RollbackWatch } from './rollback-watch.js';
import { ShownIdentity } from './shown-identity.js';

/** The lists of a few seconds are read in less than a second. */
const PAUSE_MS = 250;

/**
 * Keeps a create or a refund from moving money anew on a database that may have forgotten that it was moved: as long as this process has
 * not looked, or while the service's lists of the lost time are being read. It is asked in the transaction that records the request, so
 * that no failover comes in between.
 */
@Injectable()
export class RecoveryGate {
  /** All who wait look at the same row, four times a second each. */
  readonly #looks = new Shared<void>();

  constructor(
    private readonly database: Database,
    private readonly mark: CommitMark,
    private readonly watch: RollbackWatch,
    private readonly identity: ShownIdentity,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** What the server shows of itself, which the conditions are made of. */
  learn(): Promise<void> {
    return this.identity.learn();
  }

  /** SQL condition. The parameters are those of {@link CommitMark.expected}. As a part of the statement that records it costs no round trip. */
  condition(storeId: string, [epoch, counter] = EXPECTED_FIRST): string {
    return `${this.mark.isExpected(epoch, counter)} AND NOT ${openWindowSql(this.database, storeId)}
      AND EXISTS (SELECT FROM ${this.database.table(PaymentsStoreEntity)} store WHERE store.id = ${storeId} AND store.detached_at IS NULL)`;
  }

  /** SQL of what a state is read with for {@link isLetIn}; null: this process does not know yet what the server shows of itself. */
  get admission(): AdmissionSql | null {
    if (!this.identity.isLearned) return null;
    const isLetIn = this.condition('payment.store_id', ['$3', '$4']);
    const areKeysKnown = `${this.mark.isExpected('$3', '$4')} AND NOT ${keysGoneSql(this.database, 'payment.store_id', 'NULL::timestamptz')}`;
    const sql = `json_build_object('isLetIn', ${isLetIn}, 'areKeysKnown', ${areKeysKnown}, 'isolation', current_setting('transaction_isolation'), 'seen', ${this.mark.seen})`;
    return { sql, parameters: this.mark.expected };
  }

  /**
   * Whether the condition held as the state was read.
   * @throws PaymentInputError in a host's own transaction that is not READ COMMITTED
   */
  isLetIn({ admission }: Pick<State, 'admission'>): boolean {
    if (admission === null) return false;
    mustSeeCommits(admission.isolation);
    if (admission.seen) this.saw(admission.seen);
    return admission.isLetIn;
  }

  /**
   * Whether what this database does not know was not sent either, as far as the state said as it was read.
   * @throws PaymentInputError likewise
   */
  knowsKeys({ admission }: Pick<State, 'admission'>): boolean {
    if (admission === null) return false;
    mustSeeCommits(admission.isolation);
    return admission.areKeysKnown;
  }

  /**
   * The same condition once more, where a request that moves money anew is recorded (`isAnew`), and how durable every request is.
   * @throws UnconfirmedDatabaseError
   */
  recordingTerms({ isAnew = false } = {}): RecordingTerms {
    const columns = this.database.durableForRequest;
    const ownSeed = [this.ownSeed];
    if (!isAnew) return { condition: this.confirmed('$2'), parameters: ownSeed, columns };
    const condition = `${this.condition('given.store_id')} AND ${this.confirmed('$4')}`;
    return { condition, parameters: [...this.mark.expected, ...ownSeed], columns };
  }

  /**
   * Likewise of a payment that is opened. Nothing may have been read before, so the statement returns what is given to {@link saw}.
   */
  openingTerms(): RecordingTerms {
    const columns = `${this.database.durableForRequest}, ${this.mark.seen} AS seen`;
    // Another server was found since it was learned: nothing is recorded, and a look learns it anew.
    if (!this.identity.isLearned) return { condition: 'false', parameters: [], columns };
    return { condition: this.condition('given.store_id'), parameters: this.mark.expected, columns };
  }

  /** What a statement saw beside the condition, which held. */
  saw(seen: SeenMark): void {
    this.mark.saw(seen);
  }

  /**
   * The condition in a transaction that has others to record. What is still to be learned is learned by a {@link look}, outside of it.
   * @throws PaymentInputError in a host's own transaction that is not READ COMMITTED
   */
  letsIn(manager: EntityManager, storeId: string): Promise<boolean> {
    return this.#holds(manager, this.condition('$1::uuid'), [storeId, ...this.mark.expected]);
  }

  /**
   * Whether what this database has as never sent may have been sent: in a time that it has forgotten, under a key that the service has
   * forgotten too. `recordedAt`: null for what is being recorded.
   */
  async mayHaveBeenSent(
    manager: EntityManager,
    { storeId, recordedAt }: { readonly storeId: string; readonly recordedAt: Date | null },
  ): Promise<boolean> {
    const isSure = `${this.mark.isExpected('$2', '$3')} AND NOT ${keysGoneSql(this.database, '$1::uuid', '$4::timestamptz')}`;
    return !(await this.#holds(manager, isSure, [storeId, ...this.mark.expected, recordedAt]));
  }

  /**
   * Records once it is let in: whoever calls waits for half of the time of a call.
   * @throws RecoveryInProgressError
   * @throws UnconfirmedDatabaseError
   */
  async pass<T>(record: () => Promise<T>): Promise<T> {
    const until = performance.now() + this.options.callDeadlineMs / 2;
    for (;;)
      try {
        return await record();
      } catch (error) {
        if (!(error instanceof RecoveryInProgressError)) throw error;
        await this.look();
        if (performance.now() > until) throw await this.#explained(error);
        await delay(PAUSE_MS);
      }
  }

  async #explained(error: RecoveryInProgressError): Promise<RecoveryInProgressError> {
    const isUnread = await areUnread(this.database);
    return isUnread ? new RecoveryInProgressError(error.orderReference, { isUnread }) : error;
  }

  /**
   * Learns why the condition did not hold: what another process has noticed, this one knows then. On a connection of its own, whatever
   * transaction its caller has open.
   */
  async look(): Promise<void> {
    await this.#looks.run('', () => this.database.outside(async () => void (await this.watch.look())));
    this.watch.mustBeConfirmed();
  }

  /**
   * Before anything is done for a caller that leaves nothing: as the last look has found it, or what a person has said since.
   * @throws UnconfirmedDatabaseError
   */
  async mustBeConfirmed(): Promise<void> {
    if (this.watch.isHeld) await this.look();
  }

  /**
   * Lets nothing leave a database that may be a copy: in the transaction that records it, so that no copy comes in between.
   * @throws UnconfirmedDatabaseError
   */
  async mustBeConfirmedIn(manager: EntityManager): Promise<void> {
    const sql = `SELECT ${this.confirmed('$1')} AS "isConfirmed"`;
    const [row] = await manager.query<{ isConfirmed: boolean }[]>(sql, [this.ownSeed]);
    if (row?.isConfirmed !== true) this.refuse();
  }

  /**
   * SQL of that condition, as a part of the statement that records. The parameter is {@link ownSeed}; where it is false: {@link refuse}.
   * @throws UnconfirmedDatabaseError where this process does not know yet what the server shows
   */
  confirmed(seed: string): string {
    return this.identity.isLearned ? this.mark.isConfirmed(seed) : this.refuse();
  }

  get ownSeed(): string | null {
    return this.mark.ownSeed;
  }

  /** @throws UnconfirmedDatabaseError */
  refuse(): never {
    this.watch.mustBeConfirmed();
    throw new UnconfirmedDatabaseError(null);
  }

  async #holds(manager: EntityManager, condition: string, values: readonly unknown[]): Promise<boolean> {
    if (!this.identity.isLearned) return false;
    const [row] = await manager.query<{ holds: boolean; isolation: string; seen: SeenMark | null }[]>(
      `SELECT ${condition} AS holds, current_setting('transaction_isolation') AS isolation, ${this.mark.seen} AS seen`,
      [...values],
    );
    if (row) mustSeeCommits(row.isolation);
    if (row?.seen) this.saw(row.seen);
    return row?.holds === true;
  }
}

/** Of a statement whose only other parameter is the first. */
const EXPECTED_FIRST: readonly [string, string] = ['$2', '$3'];

/** PostgreSQL reads what is committed under either. */
const SEES_COMMITS = new Set(['read committed', 'read uncommitted']);

/**
 * A snapshot from the beginning of a host's transaction has an older mark, which says nothing, and lacks a window that was opened since.
 * @throws PaymentInputError
 */
function mustSeeCommits(isolation: string): void {
  if (SEES_COMMITS.has(isolation)) return;
  throw new PaymentInputError(
    'options.manager',
    `must be of a READ COMMITTED transaction for a refund, not ${isolation.toUpperCase()}, which would hide that the database may have forgotten refunds`,
  );
}
