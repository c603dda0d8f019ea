import { Inject, Injectable } from '@nestjs/common';
import { plusMs } from '../common/clock.js';
import { headOf, lists } from '../database/by-index.js';
import { Database, termsWithin, type Outcome } from '../database/database.js';
import { isOver, leaseEnd } from '../database/lease.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { CommitMark } from '../rollback/commit-mark.js';
import { PaymentsDeliveryEntity } from '../schema/delivery.entity.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { Telemetry } from '../telemetry/telemetry.js';

/** How many never-run deliveries one claim takes: so many that claiming costs little beside running. */
export const BATCH = 32;
/** For a lock, when a delivery is returned: what holds one longer has stopped. */
const PATIENCE_MS = 1_000;
/** Below every id. */
export const FIRST_STORE = '00000000-0000-0000-0000-000000000000';

const OPEN = 'done_at IS NULL AND parked_at IS NULL';

/** The right to make one delivery, for as long as its attempt is the newest. */
export interface DeliveryClaim {
  readonly eventId: string;
  readonly handlerId: string;
  readonly storeId: string;
  readonly attempts: number;
  /** The event it delivers: neither the event nor its order's reference ever changes. */
  readonly event: PaymentsEventEntity;
  /** As it was when it was claimed, with the version of its row; null for an event that has none. */
  readonly payment: PaymentsPaymentEntity | null;
  readonly paymentVersion: string | null;
  readonly orderReference: string | null;
  /** Its process ended during its last run: it may be the cause. */
  readonly suspect: boolean;
  /** When its lease ends, and when it was due: for returning it to its place. As text, with their microseconds. */
  readonly leaseUntil: string;
  readonly dueAt: string;
  /**
   * How long ago the notification of its event had come when this was read, and when that was by this process's own clock; null:
   * none had, or nobody listens.
   */
  readonly notified: { readonly agoMs: number; readonly readAtMs: number } | null;
}

/** What returning a delivery needs of its claim. */
type Unbegun = Pick<DeliveryClaim, 'eventId' | 'handlerId' | 'suspect' | 'leaseUntil' | 'dueAt'>;

/** Never run, or tried before: each has indexes of its own. */
type Kind = 'fresh' | 'tried';

/** The queue of one handler: deliveries never run, or those tried before. Its stores take turns. */
export interface Line {
  readonly handlerId: string;
  readonly tried: boolean;
  /** The store that had the last turn. */
  readonly lastStore: string;
}

/** The result of one look. */
interface Turn<L extends Line> {
  readonly line: L;
  readonly storeId: string;
  readonly claims: readonly DeliveryClaim[];
}

interface Row
  extends
    Omit<DeliveryClaim, 'eventId' | 'handlerId' | 'event' | 'payment' | 'notified'>,
    Readonly<Record<string, unknown>> {
  readonly place: string;
  readonly eventId: string | null;
  readonly notifiedAgoMs: number | null;
}

/**
 * Claims of deliveries. A claim counts the attempt and moves the delivery to the end of its lease before it is run, so that free
 * deliveries are at the head of each queue, however many are leased, failing or behind others.
 */
@Injectable()
export class DeliveryClaims {
  /** Claimed, and not to be run. */
  #unwanted: Unbegun[] = [];

  constructor(
    private readonly database: Database,
    private readonly mark: CommitMark,
    private readonly telemetry: Telemetry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /**
   * Takes from the first queue that has something due, and there from the store whose turn it is: a batch of deliveries never
   * run, or a single one that was tried before. So one that kills its process counts a run of those claimed with it only once.
   * @param busy stores of handlers that get nothing now
   * @param suspectsBelow of those that may have ended their process, one is taken that was run fewer times than this
   * @returns null if nothing is due
   */
  async take<L extends Line>(
    lines: readonly L[],
    busy: readonly Pick<DeliveryClaim, 'handlerId' | 'storeId'>[],
    suspectsBelow: number,
  ): Promise<Turn<L> | null> {
    // What could not be returned before; if it fails again, the next look repeats it.
    await this.giveBack([]).catch(() => undefined);
    const parameters = [
      lines.map(({ handlerId }) => handlerId),
      lines.map(({ tried }) => tried),
      lines.map(({ lastStore }) => lastStore),
      busy.map(({ handlerId }) => handlerId),
      busy.map(({ storeId }) => storeId),
      suspectsBelow,
      this.mark.ownSeed,
    ];
    await this.mark.learn();
    const taken: DeliveryClaim[] = [];
    try {
      return await this.database.transactionFrom(
        { sql: (terms) => this.#sql(terms), parameters },
        async (_manager, { rows }: Outcome<Row>) => {
          const turn = this.#turn(lines, rows);
          taken.push(...(turn?.claims ?? []));
          return turn;
        },
        { isQuiet: true },
      );
    } catch (error) {
      // It may be committed although nobody said so, and an attempt that is never begun must not count.
      await this.giveBack(taken).catch(() => undefined);
      throw error;
    }
  }

  #turn<L extends Line>(lines: readonly L[], rows: readonly Row[]): Turn<L> | null {
    const [first] = rows;
    const line = lines[Number(first?.place) - 1];
    if (!first || !line) return null;
    const { storeId } = first;
    const readAtMs = performance.now();
    const { handlerId } = line;
    const claims = rows.flatMap((row) => {
      const { eventId, attempts, paymentVersion, orderReference, suspect, leaseUntil, dueAt, notifiedAgoMs } =
        row;
      if (eventId === null) return [];
      const event = this.database.hydrate(PaymentsEventEntity, 'event', row);
      const payment =
        event.paymentId === null ? null : this.database.hydrate(PaymentsPaymentEntity, 'payment', row);
      const content = { event, payment, paymentVersion, orderReference };
      const notified = notifiedAgoMs === null ? null : { agoMs: notifiedAgoMs, readAtMs };
      return [{ eventId, handlerId, storeId, attempts, ...content, suspect, leaseUntil, dueAt, notified }];
    });
    return { line, storeId, claims };
  }

  #sql(terms: string): string {
    const deliveries = this.database.table(PaymentsDeliveryEntity);
    const { now } = this.database;
    const { handlerLeaseMs: leaseMs } = this.options;
    const batch = (kind: Kind, limit: number) => `
        SELECT event_id, next_attempt_at AS due_at, lease_until IS NOT NULL AS suspect FROM ${deliveries} delivery
        WHERE ${this.#due(kind, { handler_id: `(SELECT handler_id FROM turn WHERE tried = ${kind === 'tried'})`, store_id: '(SELECT store_id FROM turn)' })}
        LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
    return `WITH turn AS MATERIALIZED (
        SELECT line.place, line.handler_id, line.tried, store.id AS store_id
        FROM (
          SELECT line.* FROM ${lists('$1::text[]', '$2::boolean[]', '$3::uuid[]')} WITH ORDINALITY AS line (handler_id, tried, last_store, place)
          -- No handler runs in a copy.
          WHERE ${this.mark.isConfirmed('$7')}
          ORDER BY place OFFSET 0
        ) line CROSS JOIN LATERAL (
          -- From the last turn to the end, and from the start; not at all where nothing is due in the line.
          SELECT id FROM (
            SELECT id FROM ${this.database.table(PaymentsStoreEntity)}
            WHERE ${this.#isDue({ handler_id: 'line.handler_id' })} ORDER BY id <= line.last_store, id OFFSET 0
          ) store
          WHERE (line.handler_id, id) NOT IN (SELECT * FROM ${lists('$4::text[]', '$5::uuid[]')})
            AND ${this.#isDue({ handler_id: 'line.handler_id', store_id: 'store.id' })}
          LIMIT 1
        ) store ORDER BY line.place LIMIT 1
      ), fresh AS MATERIALIZED (${batch('fresh', this.#batch)}
      ), tried AS MATERIALIZED (${batch('tried', 1)}
      ), taken AS (
        UPDATE ${deliveries} delivery
        SET attempts = attempts + 1, lease_until = ${leaseEnd(leaseMs)}, next_attempt_at = ${plusMs(now, leaseMs)}
        FROM (SELECT * FROM fresh UNION ALL SELECT * FROM tried) head
        WHERE delivery.handler_id = (SELECT handler_id FROM turn) AND delivery.event_id = head.event_id
        RETURNING delivery.event_id, attempts, suspect, lease_until, due_at
      )
      SELECT ${terms}, place, turn.store_id AS "storeId", taken.event_id::text AS "eventId", attempts, suspect,
        lease_until::text AS "leaseUntil", due_at::text AS "dueAt",
        payment.xmin::text AS "paymentVersion", its_order.reference AS "orderReference",
        ${this.database.columns(PaymentsEventEntity, 'event')}, ${this.database.columns(PaymentsPaymentEntity, 'payment')},
        ${this.#notifiedAgo} AS "notifiedAgoMs"
      FROM turn
      LEFT JOIN taken ON true
      LEFT JOIN ${this.database.table(PaymentsEventEntity)} event ON event.id = taken.event_id
      LEFT JOIN ${this.database.table(PaymentsPaymentEntity)} payment ON payment.id = event.payment_id
      LEFT JOIN ${this.database.table(PaymentsOrderEntity)} its_order ON its_order.id = payment.order_id
      ORDER BY due_at`;
  }

  /** SQL condition: the row `line` has something due, of all its stores or of one. */
  #isDue(where: Readonly<Record<string, string>>): string {
    const first = (kind: Kind, isOfLine: string) =>
      `(SELECT true FROM ${this.database.table(PaymentsDeliveryEntity)} delivery WHERE ${isOfLine} AND ${this.#due(kind, where)} LIMIT 1)`;
    return `COALESCE(${first('fresh', 'NOT line.tried')}, ${first('tried', 'line.tried')}, false)`;
  }

  /** SQL of the condition and the order of what is due in such a part of an index; a LIMIT must follow. */
  #due(kind: Kind, where: Readonly<Record<string, string>>): string {
    const free = `(lease_until IS NULL OR (attempts < $6::int AND ${isOver('lease_until')}))`;
    const isOfKind = { fresh: 'attempts = 0', tried: `attempts > 0 AND ${free}` }[kind];
    const head = headOf({ of: 'delivery', where, time: 'next_attempt_at', upTo: this.database.now });
    return `${OPEN} AND ${isOfKind} AND ${head}`;
  }

  /** Of an event of a payment, which has the name of its notification: that is found by its key. */
  get #notifiedAgo(): string {
    if (!this.telemetry.isHeard) return 'NULL';
    return `(SELECT extract(epoch FROM ${this.database.now} - first_at)::float8 * 1000 FROM ${this.database.table(PaymentsNotificationEntity)} notified
          WHERE event.cause = 'notification' AND notified.store_id = payment.store_id AND notified.object_id = payment.service_id AND notified.event = event.name)`;
  }

  /** If the first run is also the last, nothing is counted that is not begun at once. */
  get #batch(): number {
    return this.options.handlerAttempts > 1 ? BATCH : 1;
  }

  /**
   * Returns what is not begun, to its place and with its attempt; if that fails, with the next look. What another worker has
   * meanwhile stays there: each row is locked before its lease is compared, also against a claim that is being committed. The
   * update itself knows rows by their key alone: "open" would lead it through an index of everything open.
   */
  async giveBack(claims: readonly Unbegun[]): Promise<void> {
    const unwanted = [...this.#unwanted.splice(0), ...claims];
    if (unwanted.length === 0) return;
    const deliveries = this.database.table(PaymentsDeliveryEntity);
    try {
      await this.database.statement(
        `WITH ${termsWithin(PATIENCE_MS)}, mine AS MATERIALIZED (
           SELECT delivery.event_id, delivery.handler_id, ${OPEN} AND lease_until = claimed_until AS is_its, due_at, left_until
           FROM terms, ${lists('$1::bigint[]', '$2::text[]', '$3::timestamptz[]', '$4::timestamptz[]', '$5::timestamptz[]')}
             AS claim (event_id, handler_id, claimed_until, due_at, left_until)
           JOIN ${deliveries} delivery USING (event_id, handler_id)
           ORDER BY event_id
           FOR NO KEY UPDATE OF delivery
         )
         UPDATE ${deliveries} delivery
         SET attempts = attempts - 1, next_attempt_at = due_at, lease_until = left_until
         FROM mine WHERE delivery.event_id = mine.event_id AND delivery.handler_id = mine.handler_id
           AND mine.is_its`,
        [
          unwanted.map(({ eventId }) => eventId),
          unwanted.map(({ handlerId }) => handlerId),
          unwanted.map(({ leaseUntil }) => leaseUntil),
          unwanted.map(({ dueAt }) => dueAt),
          // A suspect's lease is over, and not away.
          unwanted.map(({ suspect }) => (suspect ? '-infinity' : null)),
        ],
      );
    } catch (error) {
      this.#unwanted.push(...unwanted);
      throw error;
    }
  }
}
