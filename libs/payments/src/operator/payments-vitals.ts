import { Inject, Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import { FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { CommitMark } from '../rollback/commit-mark.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { SweepPulse } from '../work/sweep-pulse.js';
import { readBacklog } from './backlog.js';
import { conditionsOf, type Condition } from './conditions.js';
import { readFigures, type Figures } from './vital-figures.js';

/** However many monitors ask, and however often. */
const FRESH_MS = 10_000;

/** Whether the module can work in this process, and what is wrong anywhere: what a health check asks. */
@Injectable()
export class PaymentsVitals {
  readonly #logger = new PaymentsLog();
  readonly #failures = new LogLimit(FAILURE_LOG_MS);
  /** When the last figures came, or this process began to try. */
  #cameAtMs = performance.now();
  #last: { readonly atMs: number; readonly figures: Promise<Figures | null> } | null = null;

  constructor(
    private readonly database: Database,
    private readonly pulse: SweepPulse,
    private readonly stores: StoreRegistry,
    private readonly mark: CommitMark,
    private readonly api: PaymentsApi,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Resolves once the database has answered. */
  async reachDatabase(deadlineMs: number): Promise<void> {
    await this.database.read((from) => from.query('SELECT 1'), { deadlineMs });
  }

  /** How often this process sweeps, in ms, and how long ago it last did; null: it does not sweep. */
  sweep(): { readonly intervalMs: number; readonly sinceMs: number | null } | null {
    const { sweepIntervalMs: intervalMs } = this.options;
    return intervalMs === null ? null : { intervalMs, sinceMs: this.pulse.sinceMs() };
  }

  /** How many circuit breakers of this process are open. */
  openCircuits(): { readonly service: number; readonly store: number } {
    return this.api.openCircuits;
  }

  /**
   * Of all processes, some seconds old; null: the database does not tell. One reading is shared by all that ask within seconds, those that ask
   * while it is made among them; the database is not asked again for as long as an answer would be fresh.
   */
  figures(): Promise<Figures | null> {
    const atMs = performance.now();
    if (this.#last === null || atMs - this.#last.atMs > FRESH_MS)
      this.#last = { atMs, figures: this.#read().catch((error: unknown) => this.#report(error)) };
    return this.#last.figures;
  }

  /** How old the last figures are, in ms, by a clock that nobody sets. */
  figuresAgeMs(): number {
    return performance.now() - this.#cameAtMs;
  }

  async conditions(): Promise<Condition[]> {
    return conditionsOf(await readBacklog(this.database, this.stores, this.mark));
  }

  async #read(): Promise<Figures> {
    const figures = await readFigures(this.database, this.stores, this.mark);
    this.#cameAtMs = performance.now();
    return figures;
  }

  #report(error: unknown): null {
    const count = this.#failures.take();
    if (count !== null)
      this.#logger.warn(
        `The figures for the metrics could not be read (${count} since the last such line): ${messageOf(error)}`,
      );
    return null;
  }
}
