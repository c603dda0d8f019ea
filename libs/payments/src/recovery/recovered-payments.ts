import { Injectable } from '@nestjs/common';
import { PaymentsApi } from '../api/payments-api.js';
import { parseServicePayment, type ServicePayment } from '../api/service-payment.js';
import { Adoption } from '../apply/adoption.js';
import { Database } from '../database/database.js';
import { unlocked } from '../database/lock-wait.js';
import { want } from '../payment/due.js';
import { createdIn } from '../reconcile/created-in.js';
import type { Span } from '../reconcile/search-window.js';
import { searchAtService } from '../reconcile/service-clock.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { RateLimiter } from '../stores/rate-limiter.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { WorkSignal } from '../work/work-signal.js';

/** What a page of the service's list led to. */
interface Recovered {
  /** Payments that have a row again. */
  readonly adopted: number;
  /** Those here in another status that somebody has locked: they are not due yet. */
  readonly locked: readonly string[];
}

/** What the service made in a time of ours. */
export interface RecoveredTime {
  readonly ours: Span;
  readonly marginMs: number;
  /** Where to continue; null: at the beginning. */
  readonly cursor: string | null;
  /** Breaks it off. */
  readonly end: AbortSignal;
}

interface SeenPage {
  /** Payments that have a row again. */
  readonly adopted: number;
  /** Where the list continues; null: nowhere, or those before have to be listed again if this process ends. */
  readonly place: string | null;
}

/** Compares payments that the service lists with ours: what has no row gets one, and what is in another status is re-read. */
@Injectable()
export class RecoveredPayments {
  constructor(
    private readonly database: Database,
    private readonly adoption: Adoption,
    private readonly signal: WorkSignal,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly limiter: RateLimiter,
  ) {}

  /** `seen`: called after each page. */
  async list(
    storeId: string,
    { cursor, end, seen, ...time }: RecoveredTime & { readonly seen: (page: SeenPage) => Promise<void> },
  ): Promise<void> {
    const options = this.stores.callOnce(storeId, end);
    const locked: string[] = [];
    await searchAtService(this.database, storeId, {
      ...time,
      proof: false,
      maxPages: Infinity,
      list: (theirs) =>
        this.api.listPayments({ ...createdIn(theirs), ...(cursor !== null && { cursor }) }, options),
      see: async (items, nextCursor) => {
        const page = await this.#take(
          storeId,
          items.map((item) => parseServicePayment(item)),
        );
        locked.push(...page.locked);
        await this.limiter.charge(storeId, 1);
        await seen({ adopted: page.adopted, place: locked.length > 0 ? null : nextCursor });
        return null;
      },
    });
    await Promise.all(locked.map((id) => this.#reread(storeId, id)));
  }

  async #take(storeId: string, objects: readonly ServicePayment[]): Promise<Recovered> {
    const { count: adopted } = await this.adoption.adopt(storeId, objects);
    const outdated = await this.#outdated(storeId, objects);
    const locked = await unlocked(outdated, (id, bounds) => this.#reread(storeId, id, bounds));
    if (outdated.length > 0) this.signal.wake('payments');
    return { adopted, locked };
  }

  async #reread(storeId: string, id: string, bounds: { readonly waitMs?: number } = {}): Promise<void> {
    const { database } = this;
    await database.transaction((manager) => want(manager, database, { id, storeId }, database.now), bounds);
  }

  async #outdated(storeId: string, objects: readonly ServicePayment[]): Promise<string[]> {
    const rows = await this.database.read((from) =>
      from.query<{ id: string }[]>(
        `SELECT payment.id
         FROM unnest($2::text[], $3::text[]) AS seen (service_id, status)
         CROSS JOIN LATERAL (
           SELECT id, status FROM ${this.database.table(PaymentsPaymentEntity)} WHERE store_id = $1 AND service_id = seen.service_id OFFSET 0
         ) payment
         WHERE payment.status <> seen.status
         ORDER BY payment.id`,
        [storeId, objects.map(({ id }) => id), objects.map(({ status }) => status)],
      ),
    );
    return rows.map(({ id }) => id);
  }
}
