import { Injectable } from '@nestjs/common';
import { readByIndex } from '../database/by-index.js';
import { Database } from '../database/database.js';
import { DeliveryEntity } from '../handlers/delivery.entity.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { StoreEntity } from '../stores/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/** Something that waits: how much of it, and since when the oldest does. */
export interface Waiting {
  /** How many, counted up to 1,000. */
  readonly count: number;
  /** true: there are more than `count`. To count a million, again and again, would cost more than the figure is worth. */
  readonly more: boolean;
  /** How long the oldest has waited, in ms of business time; null where nothing waits. */
  readonly oldestMs: number | null;
}

/** What is under way and not over, of stores that this process can work for. In a healthy shop every age stays within minutes, and nothing is parked. */
export interface Backlog {
  /** Creates, captures, cancels and refunds recorded and without an outcome. */
  readonly operations: Waiting;
  /** Payments whose time to be re-read has come; growing: the sweeps do not keep up, or the service is down. */
  readonly payments: Waiting;
  /** Notifications stored and not acted upon yet, those of payments that are not known here included. */
  readonly notifications: Waiting;
  /** Deliveries whose time has come, those that failed and wait for their next run not counted. */
  readonly deliveries: Waiting;
  /** Deliveries given up, which wait for a person. */
  readonly parkedDeliveries: Waiting;
  /** Holds left to a person, by their policy or since their policy failed; aged from that moment. */
  readonly flaggedHolds: Waiting;
  /** Payments due to be re-read whose store was disconnected or needs a reconnection: their owners have to connect it first. */
  readonly waitingForOwners: Waiting;
  /** Changes in a row that polls found and no notification told: with three or more, notifications do not arrive. */
  readonly untoldChanges: Waiting;
}

const COUNTED = 1_000;
/** Ended on the server too when it is late: a monitor that asks again would have the same statement run many times over. */
const DEADLINE_MS = 30_000;

/** One thing that waits, in a table that has an index of just that, in the order of `since`. */
interface Queue {
  readonly name: keyof Backlog;
  /** SQL of the rows, each of which has a part of the index to itself; `store` is a row of stores. */
  readonly lanes: string;
  readonly table: string;
  readonly since: string;
  /** SQL condition on the row `waiting` of such a lane. */
  readonly waits: string;
}

/** Reads the backlog, in one statement, so that its figures are of one moment. */
@Injectable()
export class BacklogReader {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
  ) {}

  async read(): Promise<Backlog> {
    const figures = [...this.#queues().map((queue) => this.#figure(queue)), this.#untoldChanges()];
    const [backlog] = await this.database.transaction(
      async (manager) => {
        await readByIndex(manager);
        return manager.query<Backlog[]>(`SELECT ${figures.join(', ')}`);
      },
      { deadlineMs: DEADLINE_MS },
    );
    if (!backlog) throw new Error('PostgreSQL did not tell the backlog.');
    return backlog;
  }

  #queues(): Queue[] {
    const { now } = this.database;
    const stores = `${this.database.table(StoreEntity)} store`;
    const worked = `${stores} WHERE ${this.stores.works('store')}`;
    const shown = `${stores} WHERE ${this.stores.shown('store')}`;
    const left = `${shown} AND store.status <> 'connected'`;
    const deliveries = this.database.table(DeliveryEntity);
    const payments = this.database.table(PaymentEntity);
    return [
      {
        name: 'operations',
        lanes: worked,
        table: this.database.table(OperationEntity),
        since: 'recorded_at',
        waits: `waiting.store_id = store.id AND (outcome IS NULL OR outcome = 'unknown')`,
      },
      {
        name: 'payments',
        lanes: worked,
        table: payments,
        since: 'next_check_at',
        waits: `waiting.store_id = store.id AND next_check_at <= ${now}`,
      },
      {
        name: 'notifications',
        lanes: worked,
        table: this.database.table(NotificationEntity),
        since: 'last_at',
        waits: `waiting.store_id = store.id AND count > handled_count AND foreign_at IS NULL`,
      },
      {
        name: 'deliveries',
        lanes: '(SELECT 1) store',
        table: deliveries,
        since: 'next_attempt_at',
        waits: `done_at IS NULL AND parked_at IS NULL AND next_attempt_at <= ${now}`,
      },
      {
        name: 'parkedDeliveries',
        lanes: '(SELECT 1) store',
        table: deliveries,
        since: 'parked_at',
        waits: 'done_at IS NULL AND parked_at IS NOT NULL',
      },
      {
        name: 'flaggedHolds',
        lanes: shown,
        table: payments,
        since: 'updated_at',
        waits: `waiting.store_id = store.id AND waiting.status = 'waiting_for_capture' AND hold_due_at IS NULL AND hold_tries > 0`,
      },
      {
        name: 'waitingForOwners',
        lanes: left,
        table: payments,
        since: 'next_check_at',
        waits: `waiting.store_id = store.id AND next_check_at <= ${now}`,
      },
    ];
  }

  /** Some of each lane to be counted, and the first of each to tell the age: what waits beyond them is not looked at. */
  #figure({ name, lanes, table, since, waits }: Queue): string {
    const first = (count: number) =>
      `(SELECT found.since FROM (SELECT * FROM ${lanes}) store CROSS JOIN LATERAL (
          SELECT waiting.${since} AS since FROM ${table} waiting WHERE ${waits} ORDER BY waiting.${since} LIMIT ${count}
        ) found`;
    return `(SELECT json_build_object('count', LEAST(count, ${COUNTED}), 'more', count > ${COUNTED}, 'oldestMs', ${this.#age('oldest')})
      FROM (SELECT count(*) FROM ${first(COUNTED + 1)} LIMIT ${COUNTED + 1}) part) counted,
        (SELECT min(since) AS oldest FROM ${first(1)}) firsts) ended) AS "${name}"`;
  }

  /** In a row, and so of the store that has most of them. */
  #untoldChanges(): string {
    return `(SELECT json_build_object('count', count, 'more', false, 'oldestMs', ${this.#age('oldest')})
      FROM (SELECT COALESCE(max(untold_changes), 0) AS count, min(untold_since) FILTER (WHERE untold_changes > 0) AS oldest
        FROM ${this.database.table(StoreEntity)} store WHERE ${this.stores.works('store')}) ended) AS "untoldChanges"`;
  }

  #age(since: string): string {
    return `CASE WHEN ${since} IS NOT NULL THEN GREATEST(0, round(extract(epoch FROM ${this.database.now} - ${since}) * 1000)) END`;
  }
}
