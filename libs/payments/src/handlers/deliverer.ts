import { Inject, Injectable } from '@nestjs/common';
import { plusMs } from '../common/clock.js';
import { MINUTE_MS } from '../common/durations.js';
import { isThrown, messageOf, nameOf, stackOf } from '../common/message-of.js';
import { PaymentsLog, type LogFields } from '../common/payments-log.js';
import { RecoveryInProgressError } from '../common/payments.errors.js';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { makeNextDue } from '../payment/delivery-sequence.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import type { LabelsOf } from '../telemetry/instruments.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { WorkSignal } from '../work/work-signal.js';
import type { Work } from '../work/worker-pool.js';
import { BATCH, type DeliveryClaim } from './delivery-claims.js';
import { deliveryDelayMs } from './delivery-retry.js';
import { deliverySpan } from './delivery-span.js';
import { HandlerDeadlineError, inDelivery, markDone } from './delivery-transaction.js';
import { DeliveryTurns } from './delivery-turns.js';
import { EFFECT_EVENT } from './effect-event.js';
import { effectKeyOf } from './effect-key.js';
import { effectRecorder } from './effect-recorder.js';
import { effectData, markEffectDone, untilDeadline } from './effect-run.js';
import { HandlerRegistry, type RegisteredEffect, type RegisteredHandler } from './handler.registry.js';
import { loadEvent } from './load-event.js';

/** Characters of a failure that are kept with its delivery. */
const LONGEST_REASON = 500;

/** Characters of a failure's stack that are logged: the place of the error is at its top. */
const LONGEST_STACK = 4_000;

/** A claimed delivery that finds no slot for this long is returned, so that another process may make it. */
const PATIENCE_MS = 1_000;

/**
 * Makes deliveries. The claim counts and leases the attempt; then a handler and its done mark share one transaction, and an effect runs
 * without one and is marked done, under the same lease, once it has returned.
 */
@Injectable()
export class Deliverer {
  readonly #logger = new PaymentsLog();

  constructor(
    private readonly database: Database,
    private readonly registry: HandlerRegistry,
    private readonly turns: DeliveryTurns,
    private readonly signal: WorkSignal,
    private readonly telemetry: Telemetry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** SQL condition: a delivery may be due. Its own claim, which goes from store to store, finds out for as little. */
  get waits(): string {
    return 'true';
  }

  /** Makes the deliveries that are due. */
  get work(): Work<DeliveryClaim> {
    const { handlerLeaseMs, handlerTimeoutMs } = this.options;
    return {
      slots: this.turns.slots,
      ahead: BATCH,
      // While a run of the full time still fits into the lease.
      patienceMs: Math.min(PATIENCE_MS, handlerLeaseMs - handlerTimeoutMs),
      take: () => this.turns.take(),
      mayBegin: (claim) => this.turns.hasRoom(claim),
      run: (claim) => this.#run(claim),
      // The one that waited for it, or those of a handler or store that had their share.
      leadsToMore: () => true,
      giveBack: (claims) => this.turns.giveBack(claims),
    };
  }

  async #run(claim: DeliveryClaim): Promise<void> {
    this.turns.begin(claim);
    try {
      await this.telemetry.inSpan(
        () => deliverySpan(claim),
        () => this.#make(claim),
      );
    } finally {
      this.turns.end(claim);
    }
  }

  async #make(claim: DeliveryClaim): Promise<void> {
    const method = this.registry.get(claim.handlerId);
    // Claims only look for the registered ids.
    if (!method) throw new Error(`No handler ${claim.handlerId} is registered.`);
    // It killed its process each time: it is parked without another run.
    if (claim.attempts > this.options.handlerAttempts)
      return this.#fail(claim, 'the process ended during the run');
    const isEffect = claim.event.name === EFFECT_EVENT;
    if (method.kind === 'handler' && !isEffect) return this.#handle(claim, method.run);
    if (method.kind === 'effect' && isEffect) return this.#effect(claim, method.run);
    await this.#fail(
      claim,
      `it was recorded for ${claim.event.name}, and its id is that of another kind of method now`,
    );
  }

  async #handle(claim: DeliveryClaim, handler: RegisteredHandler): Promise<void> {
    const { handlerTimeoutMs: deadlineMs } = this.options;
    let isBegun = false;
    let isRunning = false;
    let hasRecorded = false;
    try {
      await inDelivery(this.database, claim, deadlineMs, async (manager, locked) => {
        isBegun = true;
        const effectKey = await effectKeyOf(manager, claim.handlerId, claim.event, {
          payment: locked.payment,
          orderReference: claim.orderReference,
        });
        const event = await loadEvent(manager, claim, locked.payment);
        const effects = effectRecorder(manager, this.database, { effectKey, ...claim });
        isRunning = true;
        await this.database
          .outside(() => handler(event, { manager, effectKey, attempt: claim.attempts, effects }))
          .finally(() => (isRunning = false));
        await markDone(manager, this.database, claim, locked.transactionId);
        hasRecorded = this.database.hasRecordedIn(manager);
      });
    } catch (error) {
      // Only the deadline ends a run whose handler is not done.
      if (isBegun) return this.#fail(claim, isRunning ? new HandlerDeadlineError(deadlineMs) : error);
      await this.turns.giveBack([claim]);
      throw error;
    }
    this.#count(claim, 'done');
    this.#timeNotified(claim);
    // What it recorded for the sweep can be sent now.
    if (hasRecorded) this.signal.wake('payments');
  }

  /** Without a transaction: what it does outside takes as long as it takes, and no connection waits for that. */
  async #effect(claim: DeliveryClaim, effect: RegisteredEffect): Promise<void> {
    let found: Awaited<ReturnType<typeof effectData>>;
    try {
      found = await effectData(this.database, claim);
    } catch (error) {
      await this.turns.giveBack([claim]);
      throw error;
    }
    if (found === null) return;
    const { data } = found;
    const { attempts: attempt, event } = claim;
    try {
      await untilDeadline(this.options.handlerTimeoutMs, (signal) =>
        effect(data, { effectKey: event.subjectId, attempt, signal }),
      );
    } catch (error) {
      return this.#fail(claim, error);
    }
    // If this fails, the lease ends by itself and the effect is repeated: it is not known any better.
    await markEffectDone(this.database, claim);
    this.#count(claim, 'done');
  }

  async #fail(claim: DeliveryClaim, error: unknown): Promise<void> {
    const { eventId, handlerId, attempts, leaseUntil } = claim;
    const reason = reasonOf(error);
    // Nothing is wrong with the handler: it waits until the service's lists have been read, and no run of it counts.
    const waits = isThrown(error, RecoveryInProgressError);
    const parked = !waits && attempts >= this.options.handlerAttempts;
    const delayMs = waits ? MINUTE_MS : deliveryDelayMs(attempts);
    await this.database.transaction(async (manager) => {
      const [[failed]] = await manager.query<[{ nextEventId: string | null }[], number]>(
        `UPDATE ${this.database.table(PaymentsDeliveryEntity)}
         SET last_error = $4, lease_until = NULL, parked_at = ${parked ? this.database.now : 'NULL'},
           next_attempt_at = ${plusMs(this.database.now, delayMs)}, attempts = attempts - ${waits ? 1 : 0}
         WHERE event_id = $1 AND handler_id = $2 AND lease_until = $3::timestamptz AND done_at IS NULL
         RETURNING next_event_id AS "nextEventId"`,
        [eventId, handlerId, leaseUntil, reason],
      );
      const next = parked ? (failed?.nextEventId ?? null) : null;
      if (next !== null) await makeNextDue(manager, this.database, next, handlerId);
    });
    const outlook = parked ? 'It is parked now and waits for a person.' : 'It will be run again.';
    this.#count(claim, waits ? 'postponed' : parked ? 'parked' : 'failed');
    const line = `Handler ${handlerId} failed at ${described(claim)} (attempt ${attempts}). ${outlook} ${reason}`;
    const about = aboutDelivery(claim);
    const stack = stackOf(error, LONGEST_STACK);
    if (parked) return this.#logger.error(line, about, stack);
    // It is run again, and may well succeed: one line, and the stack for who looks for it.
    this.#logger.warn(line, about);
    if (stack !== undefined) this.#logger.debug(stack, about);
  }

  #count({ handlerId: handler }: DeliveryClaim, result: LabelsOf<'holdfast.deliveries'>['result']): void {
    this.telemetry.count('holdfast.deliveries', { handler, result });
    this.telemetry.ended(result, result === 'failed' || result === 'parked');
  }

  #timeNotified({ handlerId: handler, notified }: DeliveryClaim): void {
    if (notified === null) return;
    const ms = notified.agoMs + performance.now() - notified.readAtMs;
    this.telemetry.time('holdfast.notification.delay.seconds', ms, { handler });
  }
}

function reasonOf(error: unknown): string {
  const name = nameOf(error);
  const said = name === null ? '' : `${name}: `;
  return `${said}${messageOf(error, LONGEST_REASON - said.length)}`;
}

function aboutDelivery({
  eventId,
  handlerId,
  attempts,
  storeId,
  event,
  orderReference,
}: DeliveryClaim): LogFields {
  const { paymentId } = event;
  return { eventId, handler: handlerId, attempt: attempts, storeId, paymentId, order: orderReference };
}

/** The event with its payment and order, as a person looks for them. */
function described({ eventId, event, orderReference }: DeliveryClaim): string {
  const text = `${event.name} (event ${eventId})`;
  if (orderReference === null) return text;
  return `${text} of payment ${event.paymentId}, order ${JSON.stringify(orderReference)}`;
}
