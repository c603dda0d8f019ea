import type { EntityManager } from 'typeorm';
import type { Cause } from '../common/cause.js';
import type { Database } from '../database/database.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { PaymentsEventEntity, type EventSubject } from '../schema/event.entity.js';
import { PaymentsHandlerEntity } from '../schema/handler.entity.js';
import { effectJson } from './effect-data.js';
import { EFFECT_EVENT } from './effect-event.js';
import { recordedOtherwise, unknownEffect } from './effect-faults.js';
import { keyOfEffect } from './effect-key.js';
import type { EffectRecorder } from './on-payment-effect.js';

/** The delivery whose handler records effects. */
interface Parent {
  readonly effectKey: string;
  readonly handlerId: string;
  readonly event: Pick<PaymentsEventEntity, 'storeId' | 'paymentId'>;
}

/**
 * Records effects in the transaction of a handler. Each is an event of its own, under its key and so once, whose delivery is in no
 * sequence: two handlers of one payment may record at once, and nothing that they lock says who comes first.
 */
export function effectRecorder(manager: EntityManager, database: Database, parent: Parent): EffectRecorder {
  return {
    async record(id, data, { key } = {}) {
      const effectKey = keyOfEffect(parent.effectKey, id, key);
      const json = effectJson(data);
      const { handlerId, event } = parent;
      const [result] = await manager.query<{ isKnown: boolean; isNew: boolean }[]>(
        `WITH method AS MATERIALIZED (
           SELECT id FROM ${database.table(PaymentsHandlerEntity)} WHERE id = $1 AND event = $2 AND retired_at IS NULL
           -- One that is being retired is waited for, and looked at again.
           FOR KEY SHARE
         ), event AS (
           INSERT INTO ${database.table(PaymentsEventEntity)} (store_id, subject_type, subject_id, payment_id, name, to_status, cause, evidence, created_at)
           SELECT $3, $4, $5, $6, $2, 'recorded', $7, $8, ${database.now} FROM method
           ON CONFLICT (subject_type, subject_id, name) WHERE to_status IS NOT NULL DO NOTHING
           RETURNING id, store_id, created_at
         ), delivery AS (
           INSERT INTO ${database.table(PaymentsDeliveryEntity)} (event_id, handler_id, store_id, sequence, next_attempt_at, data)
           SELECT id, $1, store_id, $4 || ' ' || id, created_at, $9::json FROM event
         )
         SELECT EXISTS (SELECT FROM method) AS "isKnown", EXISTS (SELECT FROM event) AS "isNew"`,
        [
          id,
          EFFECT_EVENT,
          event.storeId,
          'effect' satisfies EventSubject['type'],
          effectKey,
          event.paymentId,
          'handler' satisfies Cause,
          JSON.stringify({ effect: id, handler: handlerId }),
          json,
        ],
      );
      if (!result?.isKnown) throw unknownEffect(id);
      if (result.isNew) return;
      const before = await jsonBefore(manager, database, effectKey);
      if (before !== null && before !== json) throw recordedOtherwise(id);
    },
  };
}

/** Null: it is done, from a run that ended its transaction itself, and its data is erased. */
async function jsonBefore(
  manager: EntityManager,
  database: Database,
  effectKey: string,
): Promise<string | null> {
  const [before] = await manager.query<{ json: string | null }[]>(
    `SELECT delivery.data::text AS json FROM ${database.table(PaymentsEventEntity)} event
     JOIN ${database.table(PaymentsDeliveryEntity)} delivery ON delivery.event_id = event.id
     WHERE event.subject_type = $1 AND event.subject_id = $2 AND event.name = $3 AND event.to_status IS NOT NULL`,
    ['effect' satisfies EventSubject['type'], effectKey, EFFECT_EVENT],
  );
  return before?.json ?? null;
}
