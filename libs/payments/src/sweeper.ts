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
import { ForeignNotifications, LOOKUPS_AT_ONCE } from './notifications/foreign-notifications.js';
import { HandOver } from './notifications/hand-over.js';
import { OBJECT_REREADS_AT_ONCE, ObjectNotifications } from './notifications/object-notifications.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from './options/payments.module-definition.js';
import { StoreMaintenance, STORES_AT_ONCE } from './partner/store-maintenance.js';
import { QueueCheck } from './reconcile/queue-check.js';
import { REFUND_WATCHES_AT_ONCE, RefundWatch } from './reconcile/refunds/refund-watch.js';
import { Rereads } from './reconcile/rereads.js';
import { UnreachableHolds } from './reconcile/unreachable-holds.js';
import { Retention } from './retention/retention.js';
import { WorkLoop } from './work/work-loop.js';
import { WorkSignal, type WorkKind } from './work/work-signal.js';

/** Name of the module's interval in the host's SchedulerRegistry. */
const SWEEP_NAME = 'payments-sweep';

/** One kind of background work. */
interface Work {
  readonly loop: Pick<WorkLoop, 'wake' | 'stop'>;
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
  readonly #work: Work[] = [];
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
    this.#work.push(...this.#kinds());
    this.signal.subscribe((kind) => {
      for (const { loop, on } of this.#work) if (kind === 'all' || on.includes(kind)) loop.wake();
    });
    scheduler.addInterval(
      SWEEP_NAME,
      setInterval(() => this.#tick(), sweepIntervalMs),
    );
    this.#tick();
  }

  #kinds(): Work[] {
    const loop = (takeOne: () => Promise<boolean>, slots: number) =>
      new WorkLoop(takeOne, slots, (error) => this.#report(error));
    return [
      {
        loop: this.rereads.loop((error) => this.#report(error)),
        on: ['payments'],
        waits: () => this.rereads.waits,
      },
      {
        loop: loop(() => this.handOver.runNext(), 1),
        on: ['notifications'],
        waits: () => this.handOver.waits,
      },
      {
        loop: loop(this.objects.worker(OBJECT_REREADS_AT_ONCE), OBJECT_REREADS_AT_ONCE),
        on: ['objects'],
        waits: () => this.objects.waits,
      },
      {
        loop: loop(this.foreign.worker(LOOKUPS_AT_ONCE), LOOKUPS_AT_ONCE),
        on: [],
        waits: () => this.foreign.waits,
      },
      {
        loop: loop(() => this.refundWatch.runNext(), REFUND_WATCHES_AT_ONCE),
        on: [],
        waits: () => this.refundWatch.waits,
      },
      { loop: loop(() => this.queueCheck.runNext(), 1), on: [], waits: () => this.queueCheck.waits },
      { loop: loop(() => this.retention.runNext(), 1), on: [], waits: () => this.retention.waits },
      {
        loop: loop(() => this.maintenance.runNext(), STORES_AT_ONCE),
        on: [],
        waits: () => this.maintenance.waits,
      },
      { loop: loop(() => this.unreachable.runNext(), 1), on: [], waits: () => this.unreachable.waits },
      {
        loop: loop(() => this.deliverer.runNext(), this.deliverer.slots),
        on: ['deliveries'],
        waits: () => this.deliverer.waits,
      },
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
      const columns = this.#work.map(({ waits }, index) => `(${waits()}) AS "${index}"`);
      const [found] = await this.database.read((from) =>
        from.query<Record<string, boolean>[]>(`SELECT ${columns.join(', ')}`),
      );
      for (const [index, { loop }] of this.#work.entries()) if (found?.[index] === true) loop.wake();
    } catch (error) {
      this.#report(error);
      // A query that fails or hangs for one kind must not keep the others from their work.
      for (const { loop } of this.#work) loop.wake();
    }
  }

  /** Takes nothing new and waits for the work in progress; every piece of it has a deadline of its own. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#looking;
    await Promise.all(this.#work.map(({ loop }) => loop.stop()));
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
