import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { RefusalAdvice } from '../notifications/refusal-advice.js';
import { RefusedNotificationEntity } from '../notifications/refused-notification.entity.js';
import { StoreRegistry } from '../stores/store.registry.js';

/** An address that is not on the sender list, and sent notifications of payments that are known here. */
export interface RefusedSender {
  readonly address: string;
  /** Which setting would let it in; `X-Forwarded-For`: it is a trusted proxy that has to set that header. */
  readonly advice: RefusalAdvice;
  /** Payments it told of. A figure from 64 rows for each store: newer payments take the place of older ones. */
  readonly payments: number;
  /** Those among them of which it told the truth, while no accepted notification did. */
  readonly trueOf: number;
  /** Notifications. */
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Reads who was refused. */
@Injectable()
export class RefusedSenderReader {
  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
  ) {}

  list(limit: number): Promise<RefusedSender[]> {
    return this.database.dataSource.manager.query<RefusedSender[]>(
      `SELECT sender_address AS address, advice, count(*)::int AS payments, count(proven_at)::int AS "trueOf",
         sum(count)::int AS count, min(first_at) AS "firstAt", max(last_at) AS "lastAt"
       FROM ${this.database.table(RefusedNotificationEntity)} refused WHERE ${this.stores.shows('refused')}
       GROUP BY sender_address, advice ORDER BY count(proven_at) DESC, max(last_at) DESC
       LIMIT $1`,
      [limit],
    );
  }
}
