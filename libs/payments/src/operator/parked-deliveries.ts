import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database } from '../database/database.js';
import { DeliveryEntity } from '../handlers/delivery.entity.js';
import { HandlerEntity } from '../handlers/handler.entity.js';
import { EventEntity } from '../payment/event.entity.js';
import { WorkSignal } from '../sweeps/work-signal.js';

/** A delivery that was given up: its handler failed as often as it may, and waits for a person. */
export interface ParkedDelivery {
  readonly eventId: string;
  readonly handlerId: string;
  readonly eventName: string;
  /** The store it came for; with it `PaymentsService` knows the payment. */
  readonly store: string;
  /** null for an event that has no payment of ours. */
  readonly paymentId: string | null;
  /** Runs so far. */
  readonly attempts: number;
  readonly lastError: string | null;
  readonly parkedAt: Date;
}

/** How many deliveries one statement gives back: few enough to hold no lock for long. */
const BATCH = 500;

/** Deliveries that wait for a person, and the way back for them once what failed is mended. */
@Injectable()
export class ParkedDeliveries {
  constructor(
    private readonly database: Database,
    private readonly signal: WorkSignal,
  ) {}

  list(limit: number): Promise<ParkedDelivery[]> {
    return this.database.read((from) =>
      from
        .createQueryBuilder(DeliveryEntity, 'delivery')
        .innerJoin(EventEntity, 'event', 'event.id = delivery.eventId')
        .select('delivery.eventId', 'eventId')
        .addSelect('delivery.handlerId', 'handlerId')
        .addSelect('event.name', 'eventName')
        .addSelect('event.storeId', 'store')
        .addSelect('event.paymentId', 'paymentId')
        .addSelect('delivery.attempts', 'attempts')
        .addSelect('delivery.lastError', 'lastError')
        .addSelect('delivery.parkedAt', 'parkedAt')
        .where('delivery.parkedAt IS NOT NULL AND delivery.doneAt IS NULL')
        .orderBy('delivery.parkedAt')
        .addOrderBy('delivery.eventId')
        .limit(limit)
        .getRawMany<ParkedDelivery>(),
    );
  }

  /** Also one that is not parked yet but waits out its delay. A run that is under way is left alone. */
  async retry(eventId: string, handlerId: string): Promise<boolean> {
    return (await this.#giveBack('event_id = $1 AND handler_id = $2', [eventId, handlerId])) > 0;
  }

  async retryAll(handlerId: string | null): Promise<number> {
    // What fails and is parked again meanwhile is not taken up twice.
    const before = (await this.database.businessTime()).toISOString();
    let total = 0;
    for (;;) {
      const given = await this.#giveBack(
        'parked_at <= $2::timestamptz AND ($1::text IS NULL OR handler_id = $1)',
        [handlerId, before],
      );
      total += given;
      if (given < BATCH) return total;
    }
  }

  /** The lock waits for whoever is recording an event just now, so that no delivery is made after those that wait are gone. */
  retire(id: string): Promise<number> {
    return this.database.transaction(async (manager) => {
      await manager.findOne(HandlerEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
      await manager.update(
        HandlerEntity,
        { id, retiredAt: IsNull() },
        { retiredAt: () => this.database.now },
      );
      const { affected } = await manager.delete(DeliveryEntity, { handlerId: id, doneAt: IsNull() });
      return affected ?? 0;
    });
  }

  /** Counted afresh: what was mended deserves all its runs again. */
  async #giveBack(condition: string, parameters: (string | null)[]): Promise<number> {
    const deliveries = this.database.table(DeliveryEntity);
    const [, affected] = await this.database.transaction((manager) =>
      manager.query<[unknown[], number]>(
        `UPDATE ${deliveries} delivery
         SET parked_at = NULL, attempts = 0, next_attempt_at = ${this.database.now}, lease_until = NULL
         FROM (
           SELECT event_id, handler_id FROM ${deliveries}
           WHERE done_at IS NULL AND (lease_until IS NULL OR lease_until <= clock_timestamp()) AND ${condition}
           ORDER BY event_id, handler_id
           LIMIT ${BATCH}
           FOR NO KEY UPDATE
         ) picked
         WHERE delivery.event_id = picked.event_id AND delivery.handler_id = picked.handler_id`,
        parameters,
      ),
    );
    if (affected > 0) this.signal.wake();
    return affected;
  }
}
