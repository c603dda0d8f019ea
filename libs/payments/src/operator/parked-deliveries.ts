import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { PaymentInputError } from '../common/payments.errors.js';
import { useIndexes } from '../database/by-index.js';
import { Database, TERMS } from '../database/database.js';
import { isOver } from '../database/lease.js';
import { HandlerRegistry } from '../handlers/handler.registry.js';
import { BEHIND, entersBehind } from '../payment/delivery-sequence.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsHandlerEntity } from '../schema/handler.entity.js';
import { WorkSignal } from '../work/work-signal.js';
import type { ParkedDelivery } from './failed-deliveries.js';
import { handlerStates, type HandlerState } from './lists/handler-list.js';

/** More is not read by a person, and should cost nothing. */
const LIMIT = 100;
/** How many deliveries one statement makes due again: few enough to hold no lock for long. */
const BATCH = 500;

/** Deliveries that wait for a person, their retry once the fault is fixed, and the handlers that they are for. */
@Injectable()
export class ParkedDeliveries {
  constructor(
    private readonly database: Database,
    private readonly handlers: HandlerRegistry,
    private readonly signal: WorkSignal,
  ) {}

  handlerStates(): Promise<HandlerState[]> {
    return handlerStates(this.database, this.handlers);
  }

  /** The longest parked of each handler, and of those the longest: by the index, whatever else is parked. */
  list(handlerId: string | null = null): Promise<ParkedDelivery[]> {
    return this.database.transaction(async (manager) => {
      await useIndexes(manager);
      return manager.query<ParkedDelivery[]>(
        `SELECT parked.event_id::text AS "eventId", parked.handler_id AS "handlerId", event.name AS "eventName", event.store_id AS "store",
           event.payment_id AS "paymentId", parked.attempts, parked.last_error AS "lastError", parked.parked_at AS "parkedAt"
         FROM (
           SELECT head.* FROM ${this.database.table(PaymentsHandlerEntity)} handler
           CROSS JOIN LATERAL (
             SELECT event_id, handler_id, attempts, last_error, parked_at FROM ${this.database.table(PaymentsDeliveryEntity)}
             WHERE handler_id = handler.id AND parked_at IS NOT NULL AND done_at IS NULL
             ORDER BY parked_at, event_id
             LIMIT $1::int
           ) head
           ${handlerId === null ? '' : 'WHERE handler.id = $2'}
           ORDER BY head.parked_at, head.event_id
           LIMIT $1::int
         ) parked
         JOIN ${this.database.table(PaymentsEventEntity)} event ON event.id = parked.event_id
         ORDER BY parked.parked_at, parked.event_id`,
        handlerId === null ? [LIMIT] : [LIMIT, handlerId],
      );
    });
  }

  /** Also a delivery that is not parked yet but waits out its delay. A run in progress is left alone. */
  async retry(eventId: string, handlerId: string, by: string): Promise<boolean> {
    const given = await this.#giveBack(
      `event_id = $2 AND handler_id = $3 AND done_at IS NULL AND ${isOver('lease_until')}`,
      [by, eventId, handlerId],
    );
    return given > 0;
  }

  async retryAll(handlerId: string | null, by: string): Promise<number> {
    // A delivery that fails and is parked again meanwhile is not made due twice. A Date has no microseconds, the column has: to the
    // end of this millisecond, or what was parked within it stays parked.
    const before = new Date((await this.database.businessTime()).getTime() + 1).toISOString();
    const ids = handlerId === null ? await this.#handlerIds() : [handlerId];
    let total = 0;
    for (const id of ids) {
      for (let given = BATCH; given === BATCH; total += given) {
        given = await this.#giveBack(
          `handler_id = $2 AND parked_at < $3::timestamptz AND parked_at IS NOT NULL AND done_at IS NULL
           ORDER BY parked_at, event_id
           LIMIT ${BATCH}`,
          [by, id, before],
        );
      }
    }
    return total;
  }

  async #handlerIds(): Promise<string[]> {
    const handlers = await this.database.read((from) =>
      from.find(PaymentsHandlerEntity, { select: { id: true } }),
    );
    return handlers.map(({ id }) => id);
  }

  /** @throws PaymentInputError if this very process has the handler */
  async retire(id: string, by: string): Promise<number> {
    if (this.handlers.get(id))
      throw new PaymentInputError(
        'handlerId',
        'must not be the id of a handler that this process runs: deploy without its @OnPaymentEvent or @OnPaymentEffect first',
      );
    // The lock waits for anyone who is recording an event just now, so that no delivery is made after those that wait are gone.
    await this.database.transaction(async (manager) => {
      await manager.findOne(PaymentsHandlerEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
      await manager.update(
        PaymentsHandlerEntity,
        { id, retiredAt: IsNull() },
        { retiredAt: () => this.database.now, retiredBy: by },
      );
    });
    // Each by its own index; locked up the sequence, as a run locks the next one.
    const open = await this.#remove(id, by, 'parked_at IS NULL', 'sequence, event_id');
    return open + (await this.#remove(id, by, 'parked_at IS NOT NULL', 'parked_at, event_id'));
  }

  async #remove(handlerId: string, by: string, condition: string, order: string): Promise<number> {
    let total = 0;
    for (let removed = BATCH; removed === BATCH; total += removed) {
      const { rows } = await this.database.statement<{ count: number }>(
        `WITH ${TERMS}, picked AS MATERIALIZED (
           SELECT event_id, handler_id, next_event_id FROM ${this.#deliveries}
           WHERE EXISTS (SELECT FROM terms) AND handler_id = $2 AND done_at IS NULL AND ${condition}
           ORDER BY ${order}
           LIMIT ${BATCH}
           FOR UPDATE
         ), next AS (
           -- Should this be the last batch for now, no delivery is left behind one that is gone.
           UPDATE ${this.#deliveries} delivery SET next_attempt_at = ${this.database.now}
           FROM picked WHERE delivery.event_id = picked.next_event_id AND delivery.handler_id = picked.handler_id
             AND next_attempt_at = ${BEHIND} AND delivery.event_id <> ALL(ARRAY(SELECT event_id FROM picked))
         ), gone AS (
           DELETE FROM ${this.#deliveries} delivery USING picked
           WHERE delivery.event_id = picked.event_id AND delivery.handler_id = picked.handler_id
           RETURNING delivery.event_id, delivery.handler_id
         ), ${this.#noted('gone', "'Gives up ' || handler_id || ' for event ' || event_id || ': it is retired'")}
         SELECT count(*)::int AS count FROM gone`,
        [by, handlerId],
      );
      removed = rows[0]?.count ?? 0;
    }
    return total;
  }

  /**
   * Counted from zero again: what was fixed deserves all its runs. Those of one sequence wait for each other, and the first for an
   * open one with an earlier event; nothing waits for them that does not yet.
   */
  async #giveBack(picked: string, parameters: readonly [by: string, ...string[]]): Promise<number> {
    const { rows } = await this.database.statement<{ count: number }>(
      `WITH ${TERMS}, picked AS MATERIALIZED (
         SELECT * FROM ${this.#deliveries} WHERE EXISTS (SELECT FROM terms) AND ${picked}
         FOR UPDATE SKIP LOCKED
       ), entering AS MATERIALIZED (
         SELECT event_id, handler_id, sequence FROM picked WHERE parked_at IS NOT NULL
       ), ${entersBehind(this.database)}, given AS (
         UPDATE ${this.#deliveries} delivery
         SET parked_at = NULL, attempts = 0, lease_until = NULL,
           next_attempt_at = CASE WHEN COALESCE(waits, picked.next_attempt_at = ${BEHIND}) THEN ${BEHIND} ELSE ${this.database.now} END,
           next_event_id = CASE WHEN picked.parked_at IS NULL THEN picked.next_event_id ELSE entered.next_event_id END
         FROM picked LEFT JOIN entered USING (event_id, handler_id)
         WHERE delivery.event_id = picked.event_id AND delivery.handler_id = picked.handler_id
         RETURNING delivery.event_id, delivery.handler_id
       ), ${this.#noted('given', "'Runs ' || handler_id || ' again for event ' || event_id")}
       SELECT count(*)::int AS count FROM given`,
      parameters,
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) this.signal.wake('deliveries');
    return count;
  }

  /**
   * SQL of the CTE that writes what a person ($1) does about deliveries (a CTE of event_id and handler_id) into the timelines of their
   * payments; of an event without a payment, beside the event. The event says which payment that is, and nobody else.
   */
  #noted(deliveries: string, note: string): string {
    return `noted AS (
           INSERT INTO ${this.database.table(PaymentsEventEntity)}
             (store_id, subject_type, subject_id, payment_id, name, cause, evidence, created_at)
           SELECT event.store_id, CASE WHEN event.payment_id IS NULL THEN event.subject_type ELSE 'payment' END,
             COALESCE(event.payment_id::text, event.subject_id), event.payment_id, 'payment.noted', 'operator',
             jsonb_build_object('by', $1::text, 'note', ${note}), ${this.database.now}
           FROM ${deliveries} CROSS JOIN LATERAL (
             SELECT store_id, subject_type, subject_id, payment_id FROM ${this.database.table(PaymentsEventEntity)}
             WHERE id = event_id OFFSET 0
           ) event
         )`;
  }

  get #deliveries(): string {
    return this.database.table(PaymentsDeliveryEntity);
  }
}
