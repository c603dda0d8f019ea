import { Injectable } from '@nestjs/common';
import { PaymentsApi } from '../../api/payments-api.js';
import { parseServiceRefund, type ServiceRefund } from '../../api/service-refund.js';
import { BY_LIST } from '../../apply/refunds/apply-refunds.js';
import { Database } from '../../database/database.js';
import { unlocked } from '../../database/lock-wait.js';
import { askForRefunds } from '../../payment/due.js';
import { PaymentsEventEntity } from '../../schema/event.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { RateLimiter } from '../../stores/rate-limiter.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import { WorkSignal } from '../../work/work-signal.js';
import { Claims } from '../claims.js';
import { createdIn } from '../created-in.js';
import type { Span } from '../search-window.js';
import { searchAtService } from '../service-clock.js';

/** Which refunds are listed. */
export interface RefundListing {
  /** When they were made, by our clock. */
  readonly ours: Span;
  readonly marginMs: number;
  /** true: up to the newest, also those that were made after `ours`. */
  readonly isOpenEnded: boolean;
  /** Where to continue; null: at the beginning. */
  readonly cursor: string | null;
  /**
   * When commits were found missing, in business time. What has become known by a re-read since then counts as news still, and a lease
   * from before keeps no payment from being re-read. Null: none are missing.
   */
  readonly since: Date | null;
  /** Breaks it off. */
  readonly end: AbortSignal;
  /** Called after each page: its end is the time to extend a lease, and to keep the place. */
  readonly seen: (page: SeenPage) => Promise<void>;
}

interface SeenPage {
  /** Payments of ours that the list has shown so far with a refund that was not known here, or in another status. */
  readonly withNews: number;
  /** Where the list continues; null: nowhere, or those before have to be listed again if this process ends. */
  readonly place: string | null;
}

/** A payment of ours with a refund that is not known here, or in another status, or was so until its re-read. */
interface News {
  readonly id: string;
  readonly isOutdated: boolean;
  readonly hasUnknown: boolean;
}

/** Looks through the service's list of refunds, and makes each payment due that has news. */
@Injectable()
export class RefundNews {
  constructor(
    private readonly database: Database,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly limiter: RateLimiter,
    private readonly signal: WorkSignal,
    private readonly claims: Claims,
  ) {}

  /**
   * Page by page, so that a long list neither fills the memory nor outlives a lease. Returns the payments of ours with a refund that is not
   * known here before they are re-read.
   */
  async list(
    storeId: string,
    { ours, marginMs, isOpenEnded, cursor, since, end, seen }: RefundListing,
  ): Promise<readonly string[]> {
    const options = this.stores.callOnce(storeId, end);
    const ask = (id: string, bounds?: { readonly waitMs: number }) =>
      this.database.transaction(async (manager) => {
        if (since !== null) await this.claims.endFrom(manager, id, since);
        await askForRefunds(manager, this.database, { id, storeId });
      }, bounds);
    const locked: string[] = [];
    const withNews = new Set<string>();
    const withUnknown = new Set<string>();
    await searchAtService(this.database, storeId, {
      ours,
      marginMs,
      proof: false,
      maxPages: Infinity,
      list: (theirs) =>
        this.api.listRefunds(
          { ...createdIn(theirs, isOpenEnded), ...(cursor !== null && { cursor }) },
          options,
        ),
      see: async (items, nextCursor) => {
        const news = await this.#withNews(
          storeId,
          items.map((item) => parseServiceRefund(item)),
          since,
        );
        for (const { id, hasUnknown } of news) {
          withNews.add(id);
          if (hasUnknown) withUnknown.add(id);
        }
        const ids = news.flatMap(({ id, isOutdated }) => (isOutdated ? [id] : []));
        locked.push(...(await unlocked(ids, ask)));
        if (ids.length > 0) this.signal.wake('payments');
        await this.limiter.charge(storeId, 1);
        await seen({ withNews: withNews.size, place: withNews.size > 0 ? null : nextCursor });
        return null;
      },
    });
    await Promise.all(locked.map((id) => ask(id)));
    return [...withUnknown];
  }

  /** Payments of ours with a refund that we do not know, or know in another status, or did so at the time `since`. */
  #withNews(storeId: string, refunds: readonly ServiceRefund[], since: Date | null): Promise<News[]> {
    return this.database.read((from) =>
      from.query<News[]>(
        // Looked up one by one: as a join it may read all refunds of the store instead, 4,858 rows for eight.
        `SELECT payment.id, bool_or(known.status IS NULL) AS "hasUnknown", bool_or(seen.status IS DISTINCT FROM known.status) AS "isOutdated"
         FROM unnest($2::text[], $3::text[], $4::text[]) AS seen (id, payment_id, status)
         CROSS JOIN LATERAL (
           SELECT id FROM ${this.database.table(PaymentsPaymentEntity)} WHERE store_id = $1 AND service_id = seen.payment_id OFFSET 0
         ) payment
         LEFT JOIN LATERAL (
           SELECT id, status FROM ${this.database.table(PaymentsRefundEntity)} WHERE store_id = $1 AND service_id = seen.id OFFSET 0
         ) known ON true
         LEFT JOIN LATERAL (
           SELECT true AS since FROM ${this.database.table(PaymentsEventEntity)}
           WHERE subject_type = 'refund' AND subject_id = known.id::text AND to_status IS NOT NULL
             AND created_at > $5::timestamptz AND evidence->>'source' = $6
           LIMIT 1
         ) learned ON true
         WHERE seen.status IS DISTINCT FROM known.status OR learned.since
         GROUP BY payment.id`,
        [
          storeId,
          refunds.map(({ id }) => id),
          refunds.map(({ paymentId }) => paymentId),
          refunds.map(({ status }) => status),
          since,
          BY_LIST.source,
        ],
      ),
    );
  }
}
