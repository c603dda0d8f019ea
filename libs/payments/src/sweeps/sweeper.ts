import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Deliverer } from '../handlers/deliverer.js';
import { ForeignNotifications } from '../notifications/foreign-notifications.js';
import { ObjectNotifications } from '../notifications/object-notifications.js';
import { StrandedHolds } from '../holds/stranded-holds.js';
import { StoreKeeper } from '../partner/store-keeper.js';
import { PaymentsConfigurationError } from '../payments.errors.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { Reconciler } from '../reconcile/reconciler.js';
import { RefundWatch } from './refund-watch.js';
import { Retention } from './retention.js';
import { WorkLoop } from './work-loop.js';
import { WorkSignal } from './work-signal.js';

/** A re-read holds no connection while it waits for the service: a few that hang must not stop all others. */
const REREADS_AT_ONCE = 8;
/** Of objects other than payments; slots of their own, so that they can never hold up a payment. */
const OBJECT_REREADS_AT_ONCE = 2;
/** Two each, so that a store that hangs leaves one for the others. */
const LOOKUPS_AT_ONCE = 2;
const REFUND_WATCHES_AT_ONCE = 2;
const STORES_AT_ONCE = 4;

/** Name of the module's interval in the host's SchedulerRegistry. */
export const SWEEP_NAME = 'payments-sweep';

/**
 * Background work of this process, at every tick of the host's scheduler and whenever something in this process gives
 * a reason. Replicas share it through leases in the database.
 */
@Injectable()
export class Sweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('Payments');
  readonly #loops: WorkLoop[] = [];

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly reconciler: Reconciler,
    private readonly objects: ObjectNotifications,
    private readonly foreign: ForeignNotifications,
    private readonly refundWatch: RefundWatch,
    private readonly retention: Retention,
    private readonly keeper: StoreKeeper,
    private readonly stranded: StrandedHolds,
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
        'PaymentsModule is registered twice with sweeps: import it once, with isGlobal: true where several modules need it',
      ]);
    }
    const work: [takeOne: () => Promise<boolean>, slots: number][] = [
      [this.reconciler.worker(REREADS_AT_ONCE), REREADS_AT_ONCE],
      [this.objects.worker(OBJECT_REREADS_AT_ONCE), OBJECT_REREADS_AT_ONCE],
      [this.foreign.worker(LOOKUPS_AT_ONCE), LOOKUPS_AT_ONCE],
      [() => this.refundWatch.runNext(), REFUND_WATCHES_AT_ONCE],
      [() => this.retention.runNext(), 1],
      [() => this.keeper.runNext(), STORES_AT_ONCE],
      [() => this.stranded.runNext(), 1],
      [() => this.deliverer.runNext(), this.deliverer.slots],
    ];
    for (const [takeOne, slots] of work)
      this.#loops.push(new WorkLoop(takeOne, slots, (error) => this.#report(error)));
    const wake = () => this.#loops.forEach((loop) => loop.wake());
    this.signal.subscribe(wake);
    scheduler.addInterval(SWEEP_NAME, setInterval(wake, sweepIntervalMs));
    wake();
  }

  /** Takes nothing new and waits for what is under way; every piece of it has a deadline of its own. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
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
    const reason = error instanceof Error ? error.message : String(error);
    this.#logger.error(`The sweep was interrupted and goes on at its next tick: ${reason}`);
  }
}
