import { Injectable } from '@nestjs/common';
import { ServiceError, ServiceNotFoundError, ServiceRequestInvalidError } from '../api/service-errors.js';
import { Database } from '../database/database.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import { KeyedLimiter } from '../work/keyed-limiter.js';
import { Shutdown } from '../work/shutdown.js';
import type { Work } from '../work/worker-pool.js';
import { RateLimiter } from './rate-limiter.js';
import { StoreRegistry } from './store.registry.js';

/** After a failure no requests are made for a store for 1, 2, 4 … 60 s. */
const REST_MS = 1_000;
const REST_CAP_MS = 60_000;
/** For each slot, how much work may wait for stores that hang. */
const ASIDE_PER_SLOT = 4;

export type StoreCall = ReturnType<StoreRegistry['callOnce']>;

/** One kind of work that stores have. */
export interface StoreWork<Claim> {
  readonly slots: number;
  /** SQL condition: the store of this id (an SQL expression) has something to do. */
  readonly waits: (storeId: string) => string;
  /** Claims a piece of it; null if another worker was faster. */
  readonly claim: (storeId: string) => Promise<Claim | null>;
  /** `call`: how its requests name the store, and what breaks them off. */
  readonly run: (claim: Claim, call: StoreCall) => Promise<void>;
  readonly failed: (error: unknown, claim: Claim) => Promise<void>;
}

/**
 * Decides whose turn it is. Stores take turns by how much of their re-reads they have had, so a store with a thousand payments
 * due comes after one with a single one. A store that does not answer rests for a while; before that is known it gets no more
 * than half as many requests as there are slots, and those continue beside the slots. So dead stores delay no other.
 */
@Injectable()
export class StoreTurns {
  readonly #failures = new Map<string, { readonly count: number; readonly restsUntil: number }>();

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly shutdown: Shutdown,
    private readonly limiter: RateLimiter,
  ) {}

  /** This process is about to end: it would have to break off what it begins now. */
  get isEnding(): boolean {
    return this.shutdown.hasBegun;
  }

  /** Whether there may be several stores. */
  get areMany(): boolean {
    return this.stores.mayHaveConnected;
  }

  /** SQL condition: some store has work. */
  anyWaits(waits: StoreWork<unknown>['waits']): string {
    const { shop } = this.stores;
    if (!this.stores.mayHaveConnected && shop !== null) return `(${waits(only(shop.id))})`;
    return `EXISTS (SELECT FROM ${this.database.table(PaymentsStoreEntity)} store WHERE ${this.stores.isUsable('store')} AND ${waits('store.id')})`;
  }

  /** Work of all stores, each piece claimed for the store whose turn it is. */
  work<Claim extends { readonly storeId: string }>(work: StoreWork<Claim>): Work<Claim> {
    const taken = new KeyedLimiter(work.slots);
    return {
      slots: work.slots,
      // A single store cannot delay another.
      aside: this.areMany ? work.slots * ASIDE_PER_SLOT : 0,
      take: async () => {
        const others = this.areMany ? taken.keys.filter((id) => taken.leftOfHalf(id) <= 0) : [];
        for (;;) {
          const storeId = this.isEnding ? undefined : await this.#next(work.waits, others, taken.keys);
          if (storeId === undefined) return [];
          const claim = await work.claim(storeId);
          if (claim === null) others.push(storeId);
          else {
            taken.count(1, storeId);
            return [claim];
          }
        }
      },
      run: async (claim) => {
        try {
          await work.run(claim, this.stores.callOnce(claim.storeId, this.shutdown.signal));
          this.answered(claim.storeId);
        } catch (error) {
          if (!this.isEnding) await this.failed(claim.storeId, error);
          await work.failed(error, claim);
        } finally {
          taken.count(-1, claim.storeId);
        }
      },
      // It may have had its share.
      leadsToMore: () => this.areMany,
    };
  }

  /** The next store with work, none of `others`; one without work in this process goes first. */
  async #next(
    waits: StoreWork<unknown>['waits'],
    others: readonly string[],
    taken: readonly string[],
  ): Promise<string | undefined> {
    const waiting = await this.waiting(waits, others, taken.length + 1);
    return waiting.find((id) => !taken.includes(id)) ?? waiting[0];
  }

  /** The next stores with work, those first that have had the least of late; none of `others`, and none that rests. */
  async waiting(
    waits: StoreWork<unknown>['waits'],
    others: readonly string[],
    most: number,
  ): Promise<string[]> {
    const { shop } = this.stores;
    if (!this.stores.mayHaveConnected && shop !== null) return others.includes(shop.id) ? [] : [shop.id];
    const rows = await this.database.read((from) =>
      from.query<{ id: string }[]>(
        `SELECT store.id FROM ${this.database.table(PaymentsStoreEntity)} store
       WHERE ${this.stores.isUsable('store')} AND NOT store.id = ANY($1) AND ${waits('store.id')}
       ORDER BY ${this.limiter.spentTo('store.id')} NULLS FIRST
       LIMIT $2`,
        [[...others, ...this.#resting()], most],
      ),
    );
    return rows.map(({ id }) => id);
  }

  #resting(): string[] {
    const now = performance.now();
    return [...this.#failures].filter(([, { restsUntil }]) => restsUntil > now).map(([id]) => id);
  }

  answered(storeId: string): void {
    this.#failures.delete(storeId);
  }

  /** Work for the store failed: the sweeps leave it alone for as long as the service asks, and a silent one for a while. */
  async failed(storeId: string, error: unknown): Promise<void> {
    if (isSilence(error)) this.#rest(storeId);
    await this.limiter.heed(storeId, error);
  }

  #rest(storeId: string): void {
    // There is no other store to delay.
    if (!this.stores.mayHaveConnected) return;
    const count = (this.#failures.get(storeId)?.count ?? 0) + 1;
    const restMs = Math.min(REST_MS * 2 ** (count - 1), REST_CAP_MS);
    this.#failures.set(storeId, { count, restsUntil: performance.now() + restMs });
  }
}

/** SQL of the id of a single store. Not as a constant, because outdated statistics might say that it has no rows. */
export function only(storeId: string): string {
  return `(SELECT '${storeId}'::uuid)`;
}

/** An answer about the requested object counts as an answer, whatever it says. */
function isSilence(error: unknown): boolean {
  const answered = error instanceof ServiceNotFoundError || error instanceof ServiceRequestInvalidError;
  return error instanceof ServiceError && !answered;
}
