import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { backgroundWorkOf, type BackgroundWork } from './background-work.js';
import { andOthers, FAILURE_LOG_MS, LogLimit } from './common/log-limit.js';
import { messageOf } from './common/message-of.js';
import { PaymentsLog } from './common/payments-log.js';
import { PaymentsConfigurationError } from './common/payments.errors.js';
import { Database } from './database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from './options/payments.module-definition.js';
import { schedulerOf } from './options/scheduler-of.js';
import { detached } from './work/detached.js';
import { SweepPulse } from './work/sweep-pulse.js';
import { WorkSignal, type WorkKind } from './work/work-signal.js';

/** Name of the module's interval in the host's SchedulerRegistry. */
const SWEEP_NAME = 'payments-sweep';

/**
 * Background work of this process, at every tick of the host's scheduler and whenever something in this process gives
 * a reason. Replicas share it through leases in the database. A tick asks once for all kinds what there is to do.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new PaymentsLog();
  // A database that is away fails each tick.
  readonly #failures = new LogLimit(FAILURE_LOG_MS);
  readonly #kinds: BackgroundWork[] = [];
  #looking: Promise<void> | null = null;
  #ticks: NodeJS.Timeout | null = null;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly database: Database,
    private readonly signal: WorkSignal,
    private readonly pulse: SweepPulse,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  onApplicationBootstrap(): void {
    const { sweepIntervalMs, partner } = this.options;
    if (sweepIntervalMs === null) return;
    const scheduler = schedulerOf(this.moduleRef);
    if (scheduler.doesExist('interval', SWEEP_NAME)) {
      throw new PaymentsConfigurationError([
        'PaymentsModule is registered twice with sweeps: import it once, with isGlobal: true if several modules need it',
      ]);
    }
    for (const kind of backgroundWorkOf(partner !== null))
      this.#kinds.push(kind(this.moduleRef, (error) => this.#report(error)));
    this.signal.subscribe((kind) => detached(() => this.#wake(kind)));
    detached(() => {
      this.#ticks = setInterval(() => this.#tick(), sweepIntervalMs);
      scheduler.addInterval(SWEEP_NAME, this.#ticks);
      this.#tick();
    });
  }

  /** Does all that is due now, and resolves once nothing of it is under way; whether there was anything. For tests. */
  async drain(): Promise<boolean> {
    const drained = await Promise.all(this.#kinds.map(({ pool }) => pool.drain()));
    return drained.includes(true);
  }

  #wake(reason: WorkKind): void {
    for (const { pool, wokenBy } of this.#kinds)
      if (reason === 'all' || wokenBy.includes(reason)) pool.wake();
  }

  /** A look that takes longer than a tick is not begun a second time. */
  #tick(): void {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
  }

  async #look(): Promise<void> {
    try {
      const columns = this.#kinds.map(({ waits }, index) => `(${waits()}) AS "${index}"`);
      const [found] = await this.database.read(
        (from) => from.query<Record<string, boolean>[]>(`SELECT ${columns.join(', ')}`),
        { isQuiet: true },
      );
      for (const [index, { pool }] of this.#kinds.entries()) if (found?.[index] === true) pool.wake();
      this.pulse.beat();
    } catch (error) {
      this.#report(error);
      // A query that fails or hangs for one kind must not keep the others from their work.
      for (const { pool } of this.#kinds) pool.wake();
    }
  }

  /** Takes nothing new and waits for the work in progress; every piece of it has a deadline of its own. */
  async beforeApplicationShutdown(): Promise<void> {
    // The scheduler clears its intervals when its own turn comes: a look begun until then would lose its connection.
    if (this.#ticks) clearInterval(this.#ticks);
    await Promise.all([this.#looking, ...this.#kinds.map(({ pool }) => pool.stop())]);
  }

  #report(error: unknown): void {
    const count = this.#failures.take();
    if (count === null) return;
    const reason = messageOf(error);
    this.#logger.error(
      `The sweep was interrupted and continues at its next tick: ${reason}${andOthers(count)}`,
    );
  }
}
