import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { DeliveryEntity } from '../handlers/delivery.entity.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { StoreEntity } from '../stores/store.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/** Something that waits: how much of it, and since when the oldest does. */
export interface Waiting {
  readonly count: number;
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

/** Ended on the server too when it is late: a monitor that asks again would have the same statement run many times over. */
const DEADLINE_MS = 30_000;

/** Reads the backlog, in one statement, so that its figures are of one moment. */
@Injectable()
export class BacklogReader {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
  ) {}

  async read(): Promise<Backlog> {
    const { now } = this.database;
    const worked = this.stores.workable('waiting');
    const shown = this.stores.shows('waiting');
    const waits = (name: string, table: string, since: string, condition: string) =>
      `(SELECT json_build_object('count', count(*), 'oldestMs', CASE WHEN count(*) > 0 THEN GREATEST(0, round(extract(epoch FROM ${now} - min(${since})) * 1000)) END)
        FROM ${table} waiting WHERE ${condition}) AS "${name}"`;
    const operations = this.database.table(OperationEntity);
    const payments = this.database.table(PaymentEntity);
    const notifications = this.database.table(NotificationEntity);
    const deliveries = this.database.table(DeliveryEntity);
    const [backlog] = await this.database.transaction(
      (manager) =>
        manager.query<Backlog[]>(
          `SELECT ${[
            waits(
              'operations',
              operations,
              'recorded_at',
              `${worked} AND (outcome IS NULL OR outcome = 'unknown')`,
            ),
            waits('payments', payments, 'next_check_at', `${worked} AND next_check_at <= ${now}`),
            waits(
              'notifications',
              notifications,
              'last_at',
              `${worked} AND count > handled_count AND foreign_at IS NULL`,
            ),
            waits(
              'deliveries',
              deliveries,
              'next_attempt_at',
              `done_at IS NULL AND parked_at IS NULL AND next_attempt_at <= ${now}`,
            ),
            waits('parkedDeliveries', deliveries, 'parked_at', 'done_at IS NULL AND parked_at IS NOT NULL'),
            waits(
              'flaggedHolds',
              payments,
              'updated_at',
              `${shown} AND status = 'waiting_for_capture' AND hold_due_at IS NULL AND hold_tries > 0`,
            ),
            waits(
              'waitingForOwners',
              payments,
              'next_check_at',
              `${shown} AND NOT ${worked} AND next_check_at <= ${now}`,
            ),
            // In a row, and so of the store that has most of them.
            `(SELECT json_build_object('count', COALESCE(max(untold_changes), 0), 'oldestMs', CASE WHEN max(untold_changes) > 0 THEN GREATEST(0, round(extract(epoch FROM ${now} - min(untold_since) FILTER (WHERE untold_changes > 0)) * 1000)) END)
          FROM ${this.database.table(StoreEntity)} store WHERE ${this.stores.works('store')}) AS "untoldChanges"`,
          ].join(', ')}`,
        ),
      { deadlineMs: DEADLINE_MS },
    );
    if (!backlog) throw new Error('PostgreSQL did not tell the backlog.');
    return backlog;
  }
}
