import { Inject, Injectable, Logger } from '@nestjs/common';
import { IsNull, type EntityManager } from 'typeorm';
import { plusMs } from '../clock.js';
import { Database } from '../database/database.js';
import { EventEntity } from '../payment/event.entity.js';
import { OrderEntity } from '../payment/order.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../payments.module-definition.js';
import { WorkSignal } from '../sweeps/work-signal.js';
import { DeliveryEntity } from './delivery.entity.js';
import { lockDelivery, markDone, type DeliveryClaim } from './delivery-transaction.js';
import { HandlerRegistry, type RegisteredHandler } from './handler.registry.js';
import { readEvent } from './read-event.js';

const FIRST_DELAY_MS = 10_000;
const DELAY_CAP_MS = 3_600_000;
/** Characters of a failure's stack that are logged: where it was thrown stands at its top. */
const LONGEST_STACK = 4_000;

/** Between two runs of a failing handler: 10, 20, 40 s … one hour. */
export function deliveryDelayMs(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 20), DELAY_CAP_MS);
}

/** Runs handlers: the attempt is counted and leased first, then handler and done mark share one transaction. */
@Injectable()
export class Deliverer {
  readonly #logger = new Logger('Payments');

  constructor(
    private readonly database: Database,
    private readonly registry: HandlerRegistry,
    private readonly signal: WorkSignal,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Makes one due delivery; false where there is none. */
  async runNext(): Promise<boolean> {
    const claim = await this.#claim();
    if (!claim) return false;
    const handler = this.registry.get(claim.handlerId);
    // Claims ask for the registered ids alone.
    if (!handler) throw new Error(`No handler ${claim.handlerId} is registered.`);
    // It killed its process each time: it is parked without another run.
    if (claim.attempts > this.options.handlerAttempts) {
      await this.#fail(claim, 'the process ended during the run');
      return true;
    }
    try {
      await this.#run(claim, handler);
      this.signal.wake();
    } catch (error) {
      await this.#fail(claim, error);
    }
    return true;
  }

  /**
   * Only handlers this process knows; and per (handler, sequence) only the oldest event that is neither done nor
   * parked, so that each handler sees one payment's events in their order.
   */
  async #claim(): Promise<DeliveryClaim | null> {
    const deliveries = this.database.table(DeliveryEntity);
    const [rows] = await this.database.transaction((manager) =>
      manager.query<[DeliveryClaim[], number]>(
        // A CTE, not a subquery in FROM: the planner may put that inside a nested loop, and then every pass claims another row.
        `WITH picked AS (
         SELECT event_id, handler_id FROM ${deliveries} due
         WHERE done_at IS NULL AND parked_at IS NULL AND next_attempt_at <= ${this.database.now}
           AND (lease_until IS NULL OR lease_until <= clock_timestamp())
           AND handler_id = ANY($1)
           AND NOT EXISTS (
             SELECT 1 FROM ${deliveries} earlier
             WHERE earlier.handler_id = due.handler_id AND earlier.sequence = due.sequence
               AND earlier.event_id < due.event_id AND earlier.done_at IS NULL AND earlier.parked_at IS NULL
           )
         ORDER BY next_attempt_at
         LIMIT 1
         FOR NO KEY UPDATE SKIP LOCKED
       )
       UPDATE ${deliveries} delivery
       SET attempts = delivery.attempts + 1, lease_until = ${plusMs('clock_timestamp()', this.options.handlerLeaseMs)}
       FROM picked
       WHERE delivery.event_id = picked.event_id AND delivery.handler_id = picked.handler_id
       RETURNING delivery.event_id AS "eventId", delivery.handler_id AS "handlerId", delivery.attempts`,
        [this.registry.ids],
      ),
    );
    return rows[0] ?? null;
  }

  #run(claim: DeliveryClaim, handler: RegisteredHandler): Promise<void> {
    return this.database.transaction(
      async (manager) => {
        const { eventId, handlerId, attempts } = claim;
        const transactionId = await lockDelivery(manager, this.database, claim);
        // We were paused past our lease.
        if (transactionId === null) return;
        const event = await manager.findOneByOrFail(EventEntity, { id: eventId });
        const context = { manager, effectKey: `${handlerId}/${eventId}`, attempt: attempts };
        const read = await readEvent(manager, event);
        await this.database.outside(() => handler(read, context));
        await markDone(manager, this.database, claim, transactionId);
      },
      // Not run again on a conflict: what the handler did outside the database counts as this attempt's.
      { deadlineMs: this.options.handlerTimeoutMs, retry: false },
    );
  }

  async #fail(claim: DeliveryClaim, error: unknown): Promise<void> {
    const { eventId, handlerId, attempts } = claim;
    const reason = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
    const parked = attempts >= this.options.handlerAttempts;
    const what = await this.database.transaction(async (manager) => {
      await manager.update(
        DeliveryEntity,
        { eventId, handlerId, attempts, doneAt: IsNull() },
        {
          lastError: reason,
          leaseUntil: null,
          nextAttemptAt: () => plusMs(this.database.now, deliveryDelayMs(attempts)),
          parkedAt: () => (parked ? this.database.now : 'NULL'),
        },
      );
      return this.#describe(manager, eventId);
    });
    const outlook = parked ? 'It is parked now and waits for a person.' : 'It will be run again.';
    const line = `Handler ${handlerId} failed at ${what} (attempt ${attempts}). ${outlook} ${reason}`;
    if (error instanceof Error) this.#logger.error(line, error.stack?.slice(0, LONGEST_STACK));
    else this.#logger.error(line);
  }

  /** The event with its payment and order, as a person looks for them. */
  async #describe(manager: EntityManager, eventId: string): Promise<string> {
    const { name, paymentId } = await manager.findOneByOrFail(EventEntity, { id: eventId });
    const event = `${name} (event ${eventId})`;
    if (paymentId === null) return event;
    const payment = await manager.findOneByOrFail(PaymentEntity, { id: paymentId });
    const { reference } = await manager.findOneByOrFail(OrderEntity, { id: payment.orderId });
    return `${event} of payment ${paymentId}, order ${JSON.stringify(reference)}`;
  }
}
