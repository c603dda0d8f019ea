import { Injectable } from '@nestjs/common';
import { newId } from '../common/uuid.js';
import { Database, termsWithin } from '../database/database.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import type { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { Grouped } from '../work/grouped.js';
import { Shutdown } from '../work/shutdown.js';
import { WorkSignal } from '../work/work-signal.js';
import { type ParsedNotification, objectTypes } from './notification-body.js';

/** The service does not wait long for its 200; a store that is slower than this is as good as down. */
const DEADLINE_MS = 5_000;
/** A lock on a notification's row lasts moments. Those written with it wait no longer than this for it. */
const LOCK_MS = 1_000;
/** Notifications that wait for the next statement, which takes all of them. Beyond that it is better to have them sent again. */
const WAITING = 256;

/** A notification that has arrived and is not stored yet. */
export interface Arrival {
  readonly storeId: string;
  readonly event: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly ofPayment: string | null;
  readonly body: string;
  readonly senderAddress: string;
  /** null: nobody traces. */
  readonly traceparent: string | null;
}

/** Arrivals of one (store, object, event), in order of arrival: one row, with the content of the last of them. */
type Repeats<A extends Arrival> = readonly [A, ...A[]];

/**
 * Stores a notification, once per (store, event, object), and counts its repeats. It touches nothing else. Notifications that
 * arrive during a statement go into the next one, so that a flood takes one connection and few commits: two statements at a time
 * would wait for each other's rows.
 */
@Injectable()
export class Intake {
  readonly #group = new Grouped<Arrival, null>((arrivals) => this.#storeGroup(arrivals), {
    most: WAITING,
    waiting: WAITING,
    patienceMs: DEADLINE_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly signal: WorkSignal,
    private readonly shutdown: Shutdown,
    private readonly telemetry: Telemetry,
  ) {}

  /**
   * Resolves once the notification is committed; rejects if it could not be stored in time.
   * @throws GroupBusyError if there is no room for it
   */
  async store(
    store: PaymentsStoreEntity,
    { event, objectType, objectId, ofPayment }: ParsedNotification,
    body: string,
    senderAddress: string,
  ): Promise<void> {
    const arrival = { storeId: store.id, event, objectType, objectId, ofPayment, body, senderAddress };
    const storing = this.telemetry.inSpan(
      () => ({ name: 'holdfast.notification' }),
      () => this.#group.add({ ...arrival, traceparent: this.telemetry.traceparent() }),
    );
    await this.shutdown.waitFor(storing);
  }

  /** And wakes those that handle what is stored. */
  async #storeGroup(arrivals: readonly Arrival[]): Promise<null[]> {
    await this.#write(repeatsOf(arrivals));
    const kinds = arrivals.map(({ objectType }) => (isHandedOver(objectType) ? 'notifications' : 'objects'));
    for (const kind of new Set(kinds)) this.signal.wake(kind);
    return arrivals.map(() => null);
  }

  /** Given up when late, it may still be committed: then a notification counts that was answered 503, and comes again. */
  async #write(rows: readonly Repeats<Arrival>[]): Promise<void> {
    const { now } = this.database;
    const since = `CASE notified.handled_count WHEN 0 THEN ${now} END`;
    await this.database.statement(
      // A waiting notification keeps its place, so that a repeat changes no index. In the order of their key, so that processes
      // with the same rows wait for each other, but never in a circle.
      `WITH ${termsWithin(LOCK_MS)}
       INSERT INTO ${this.database.table(PaymentsNotificationEntity)} AS known
         (id, store_id, event, object_type, object_id, of_payment, body, sender_address, traceparent, count, handled_count, first_at, last_at,
          waiting_since, step, ready_at)
       SELECT notified.id, notified.store_id, notified.event, notified.object_type, notified.object_id, notified.of_payment, notified.body, notified.sender_address,
         notified.traceparent, notified.count, notified.handled_count, ${now}, ${now}, ${since},
         notified.step, ${since}
       FROM json_to_recordset($1) AS notified (id uuid, store_id uuid, event text, object_type text, object_id text, of_payment text, body text, step text,
         sender_address text, traceparent text, count int, handled_count int), terms
       ORDER BY notified.store_id, notified.object_id, notified.event
       ON CONFLICT (store_id, object_id, event) DO UPDATE
       SET count = known.count + excluded.count, handled_count = known.handled_count + excluded.handled_count,
         -- Of two payments that a refund is said to be of, neither is believed: whose it is, the service will say.
         of_payment = CASE WHEN known.of_payment = excluded.of_payment THEN known.of_payment END,
         body = excluded.body, sender_address = excluded.sender_address, traceparent = excluded.traceparent, last_at = excluded.last_at,
         waiting_since = CASE WHEN known.foreign_at IS NULL THEN COALESCE(known.waiting_since, excluded.waiting_since) END,
         step = CASE WHEN known.ready_at IS NULL THEN excluded.step ELSE known.step END,
         ready_at = COALESCE(known.ready_at, excluded.ready_at)`,
      [JSON.stringify(rows.map(rowOf))],
      { deadlineMs: DEADLINE_MS, waitMs: 0 },
    );
  }
}

/** Groups arrivals into rows: a statement may not meet a row twice. */
export function repeatsOf<A extends Arrival>(arrivals: readonly A[]): Repeats<A>[] {
  const rows = new Map<string, [A, ...A[]]>();
  for (const arrival of arrivals) {
    const key = JSON.stringify([arrival.storeId, arrival.objectId, arrival.event]);
    const row = rows.get(key);
    if (row) row.push(arrival);
    else rows.set(key, [arrival]);
  }
  return [...rows.values()];
}

/** The content of the last arrival. */
export function lastOf<A extends Arrival>(repeats: Repeats<A>): A {
  return repeats.at(-1) ?? repeats[0];
}

/** The source of a row: the last arrival, and how many there were. */
function rowOf(repeats: Repeats<Arrival>): object {
  const { storeId, event, objectType, objectId, body, senderAddress, traceparent } = lastOf(repeats);
  const { length: count } = repeats;
  const { ofPayment } = repeats[0];
  return {
    id: newId(),
    store_id: storeId,
    event,
    object_type: objectType,
    object_id: objectId,
    of_payment: repeats.every((arrival) => arrival.ofPayment === ofPayment) ? ofPayment : null,
    step: isHandedOver(objectType) ? 'hand_over' : 're_read',
    body,
    sender_address: senderAddress,
    ...(traceparent !== null && { traceparent }),
    count,
    // Of a kind that nothing here re-reads: stored, and marked as handled.
    handled_count: isReread(objectType) ? 0 : count,
  };
}

/** A refund's goes to its payment, as a payment's own: so however many come, the payment is read once. */
function isHandedOver(objectType: string): boolean {
  return objectType === 'payment' || objectType === 'refund';
}

function isReread(objectType: string): boolean {
  return objectType === 'payment' || objectTypes.some((known) => known === objectType);
}
