import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { messageOf } from './common/message-of.js';
import { PaymentsConfigurationError } from './common/payments.errors.js';
import { Database } from './database/database.js';
import { Deliverer } from './handlers/deliverer.js';
import { ForeignNotifications } from './notifications/foreign-notifications.js';
import { HandOver } from './notifications/hand-over.js';
import { ObjectNotifications } from './notifications/object-notifications.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from './options/payments.module-definition.js';
import { StoreMaintenance } from './partner/store-maintenance.js';
import { QueueCheck } from './reconcile/queue-check.js';
import { RefundWatch } from './reconcile/refunds/refund-watch.js';
import { Rereads } from './reconcile/rereads.js';
import { UnreachableHolds } from './reconcile/unreachable-holds.js';
import { Retention } from './retention/retention.js';
import { WorkSignal, type WorkKind } from './work/work-signal.js';
import { stepwise, WorkerPool, type Work } from './work/worker-pool.js';

/** Name of the module's interval in the host's SchedulerRegistry. */
const SWEEP_NAME = 'payments-sweep';

/** One kind of background work. */
interface Kind {
  readonly pool: Pick<WorkerPool<never>, 'wake' | 'stop'>;
  /** Signals in this process that give a reason to look. */
  readonly on: readonly WorkKind[];
  /** SQL condition: there is something to do. */
  readonly waits: () => string;
}

/**
 * Background work of this process, at every tick of the host's scheduler and whenever something in this process gives
 * a reason. Replicas share it through leases in the database. A tick asks once for all kinds what there is to do.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('Payments');
  readonly #kinds: Kind[] = [];
  #looking: Promise<void> | null = null;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly database: Database,
    private readonly handOver: HandOver,
    private readonly rereads: Rereads,
    private readonly objects: ObjectNotifications,
    private readonly foreign: ForeignNotifications,
    private readonly refundWatch: RefundWatch,
    private readonly queueCheck: QueueCheck,
    private readonly retention: Retention,
    private readonly maintenance: StoreMaintenance,
    private readonly unreachable: UnreachableHolds,
    private readonly deliverer: Deliverer,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  onApplicationBootstrap(): void {
    const { sweepIntervalMs } = this.options;
    if (sweepIntervalMs === null) return;
    const scheduler = this.#scheduler();
    if (scheduler.doesExist('interval', SWEEP_NAME)) {
      throw new PaymentsConfigurationError([
        'PaymentsModule is registered twice with sweeps: import it once, with isGlobal: true if several modules need it',
      ]);
    }
    this.#kinds.push(...this.#all());
    this.signal.subscribe((kind) => {
      for (const { pool, on } of this.#kinds) if (kind === 'all' || on.includes(kind)) pool.wake();
    });
    scheduler.addInterval(
      SWEEP_NAME,
      setInterval(() => this.#tick(), sweepIntervalMs),
    );
    this.#tick();
  }

  #all(): Kind[] {
    const pool = <Claim>(work: Work<Claim>) => new WorkerPool(work, (error) => this.#report(error));
    const steps = (step: () => Promise<boolean>) => pool(stepwise(step));
    return [
      { pool: pool(this.rereads.work), on: ['payments'], waits: () => this.rereads.waits },
      {
        pool: steps(() => this.handOver.runNext()),
        on: ['notifications'],
        waits: () => this.handOver.waits,
      },
      { pool: pool(this.objects.work), on: ['objects'], waits: () => this.objects.waits },
      { pool: pool(this.foreign.work), on: [], waits: () => this.foreign.waits },
      { pool: pool(this.refundWatch.work), on: [], waits: () => this.refundWatch.waits },
      { pool: steps(() => this.queueCheck.runNext()), on: [], waits: () => this.queueCheck.waits },
      { pool: steps(() => this.retention.runNext()), on: [], waits: () => this.retention.waits },
      { pool: pool(this.maintenance.work), on: [], waits: () => this.maintenance.waits },
      { pool: steps(() => this.unreachable.runNext()), on: [], waits: () => this.unreachable.waits },
      { pool: pool(this.deliverer.work), on: ['deliveries'], waits: () => this.deliverer.waits },
    ];
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
      const [found] = await this.database.read((from) =>
        from.query<Record<string, boolean>[]>(`SELECT ${columns.join(', ')}`),
      );
      for (const [index, { pool }] of this.#kinds.entries()) if (found?.[index] === true) pool.wake();
    } catch (error) {
      this.#report(error);
      // A query that fails or hangs for one kind must not keep the others from their work.
      for (const { pool } of this.#kinds) pool.wake();
    }
  }

  /** Takes nothing new and waits for the work in progress; every piece of it has a deadline of its own. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.#looking, ...this.#kinds.map(({ pool }) => pool.stop())]);
  }

  #scheduler(): SchedulerRegistry {
    try {
      return this.moduleRef.get(SchedulerRegistry, { strict: false });
    } catch {
      throw new PaymentsConfigurationError([
        'ScheduleModule.forRoot() is missing: import it once in the root module (from @nestjs/schedule), ' +
          'or set sweeps: false in a process that only serves web requests',
      ]);
    }
  }

  #report(error: unknown): void {
    const reason = messageOf(error);
    this.#logger.error(`The sweep was interrupted and continues at its next tick: ${reason}`);
  }
}
