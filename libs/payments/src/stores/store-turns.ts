import { Injectable } from '@nestjs/common';
import { ServiceError, ServiceNotFoundError, ServiceRequestInvalidError } from '../api/service-errors.js';
import { Database } from '../database/database.js';
import { StoreEntity } from '../schema/store.entity.js';
import { DetachedWork } from '../work/detached-work.js';
import { Shutdown } from '../work/shutdown.js';
import { RateLimiter } from './rate-limiter.js';
import { StoreRegistry } from './store.registry.js';

/** After a failure no requests are made for a store for 1, 2, 4 … 60 s. */
const REST_MS = 1_000;
const REST_CAP_MS = 60_000;
/** For each slot, how much work may wait for stores that hang. */
const DETACHED_PER_SLOT = 4;

/** What one kind of work needs from the stores. */
interface StoreWork<Claim> {
  /** SQL condition: the store of this id (an SQL expression) has something to do. */
  readonly waits: (storeId: string) => string;
  /** Claims a piece of it; null if another worker was faster. */
  readonly claim: (storeId: string) => Promise<Claim | null>;
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

  /** A queue of one kind of work, which `slots` workers of this process take from. */
  queue<Claim>(slots: number, work: StoreWork<Claim>): StoreQueue<Claim> {
    const { mayHaveConnected } = this.stores;
    const perStore = mayHaveConnected ? Math.max(1, Math.floor(slots / 2)) : slots;
    // A single store cannot delay another.
    const detached = new DetachedWork(this.shutdown, mayHaveConnected ? slots * DETACHED_PER_SLOT : 0);
    return new StoreQueue(this, detached, perStore, work);
  }

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
    return `EXISTS (SELECT FROM ${this.database.table(StoreEntity)} store WHERE ${this.stores.isUsable('store')} AND ${waits('store.id')})`;
  }

  /** The next store with work, none of `others`; null if there is none. */
  async next(waits: StoreWork<unknown>['waits'], others: readonly string[]): Promise<string | null> {
    const [first] = await this.waiting(waits, others, 1);
    return first ?? null;
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
        `SELECT store.id FROM ${this.database.table(StoreEntity)} store
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

/** One kind of work of all stores. */
export class StoreQueue<Claim> {
  readonly #taken = new Map<string, number>();
  #line: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly turns: StoreTurns,
    private readonly detached: DetachedWork,
    private readonly perStore: number,
    private readonly work: StoreWork<Claim>,
  ) {}

  /**
   * Claims a piece of work of the store whose turn it is, and does it; false if there is none. An error of `work` goes to
   * `onError`, and if the service gave the store no answer, the store rests.
   */
  async run(
    work: (claim: Claim) => Promise<void>,
    onError: (error: unknown, claim: Claim) => void | Promise<void>,
  ): Promise<boolean> {
    const tried: string[] = [];
    for (;;) {
      const storeId = this.turns.isEnding ? null : await this.#pick(tried);
      if (storeId === null) return false;
      const claim = await this.#claim(storeId);
      if (claim !== null) {
        const done = this.#do(
          storeId,
          () => work(claim),
          (error) => onError(error, claim),
        );
        await this.detached.awaitBriefly(done);
        return true;
      }
      tried.push(storeId);
    }
  }

  async #claim(storeId: string): Promise<Claim | null> {
    let claim: Claim | null = null;
    try {
      claim = await this.work.claim(storeId);
    } finally {
      if (claim === null) this.#count(storeId, -1);
    }
    return claim;
  }

  async #do(
    storeId: string,
    work: () => Promise<void>,
    onError: (error: unknown) => void | Promise<void>,
  ): Promise<void> {
    try {
      await work();
      this.turns.answered(storeId);
    } catch (error) {
      if (!this.turns.isEnding) await this.turns.failed(storeId, error);
      await onError(error);
    } finally {
      this.#count(storeId, -1);
    }
  }

  /** One after the other: workers that look at once would all find the same store, and it would take the turns of others. */
  #pick(tried: readonly string[]): Promise<string | null> {
    const picked = this.#line.then(async () => {
      const storeId = await this.#next([...tried, ...this.#with(this.perStore)]);
      if (storeId !== null) this.#count(storeId, 1);
      return storeId;
    });
    this.#line = picked.catch(() => null);
    return picked;
  }

  /** Stores without a worker of this process go first. */
  async #next(others: readonly string[]): Promise<string | null> {
    const { waits } = this.work;
    const taken = this.#with(1);
    if (taken.length === 0) return this.turns.next(waits, others);
    return (await this.turns.next(waits, [...others, ...taken])) ?? this.turns.next(waits, others);
  }

  #with(slots: number): string[] {
    return [...this.#taken].filter(([, count]) => count >= slots).map(([id]) => id);
  }

  #count(storeId: string, change: 1 | -1): void {
    const count = (this.#taken.get(storeId) ?? 0) + change;
    if (count === 0) this.#taken.delete(storeId);
    else this.#taken.set(storeId, count);
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
