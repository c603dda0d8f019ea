import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { KeyedLimiter, type Sharer } from '../work/keyed-limiter.js';
import { DeliveryClaims, FIRST_STORE, type DeliveryClaim, type Line } from './delivery-claims.js';
import { HandlerRegistry } from './handler.registry.js';

/** A run that ends its process mostly does so at once. A suspected run that lasts longer may hang, and must not delay others. */
const SUSPICION_MS = 1_000;
/** More runs than any has. */
const ANY = 2 ** 31 - 1;

/**
 * Decides which delivery this process makes next. Handlers and, within each, stores share its slots, so that a slow one only
 * delays itself; deliveries never run and those tried before take turns.
 */
@Injectable()
export class DeliveryTurns {
  /** At most half of the pool runs handlers, so that waiting deliveries can never starve what they wait for. */
  readonly slots: number;
  readonly #limiter: KeyedLimiter;
  /** Claimed, and when each was begun, by this process's own clock. */
  readonly #claimed = new Map<DeliveryClaim, number | null>();
  /** The queue that had the last turn is at the end. */
  #lines: Line[] | null = null;

  constructor(
    database: Database,
    private readonly claims: DeliveryClaims,
    private readonly registry: HandlerRegistry,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    this.slots = Math.max(1, Math.floor(database.poolSize / 2));
    this.#limiter = new KeyedLimiter(this.slots);
  }

  /** Only queues that may begin something are looked at, so little is ever claimed and not begun. */
  async take(): Promise<readonly DeliveryClaim[]> {
    let lines = this.#openLines();
    while (lines.length > 0) {
      const turn = await this.claims.take(lines, this.#busyStores(), this.#suspectsBelow());
      if (!turn) return [];
      const { line, storeId, claims } = turn;
      const others = this.#everyLine().filter((other) => !isSame(other, line));
      this.#lines = [...others, { ...line, lastStore: storeId }];
      for (const claim of claims) this.#claimed.set(claim, null);
      if (claims.length > 0) return claims;
      // Another process is claiming everything due there.
      lines = lines.filter((other) => other !== line);
    }
    return [];
  }

  /** Whether there is a slot for it. */
  hasRoom(claim: DeliveryClaim): boolean {
    return this.#limiter.room(...this.#path(claim)) > 0;
  }

  begin(claim: DeliveryClaim): void {
    this.#claimed.set(claim, performance.now());
    this.#limiter.count(1, claim.handlerId, claim.storeId);
  }

  end(claim: DeliveryClaim): void {
    this.#claimed.delete(claim);
    this.#limiter.count(-1, claim.handlerId, claim.storeId);
  }

  async giveBack(claims: readonly DeliveryClaim[]): Promise<void> {
    for (const claim of claims) this.#claimed.delete(claim);
    await this.claims.giveBack(claims);
  }

  #everyLine(): Line[] {
    this.#lines ??= [false, true].flatMap((tried) =>
      this.registry.ids.map((handlerId) => ({ handlerId, tried, lastStore: FIRST_STORE })),
    );
    return this.#lines;
  }

  #openLines(): Line[] {
    return this.#everyLine().filter(({ handlerId }) => this.#limiter.room(this.#handler(handlerId)) > 0);
  }

  /** Stores of a handler that already have their share of its slots. */
  #busyStores(): DeliveryClaim[] {
    return [...this.#claimed.keys()].filter((claim) => !this.hasRoom(claim));
  }

  /**
   * How few runs a delivery that may have ended its process must have had, to be run now. They run one at a time, so that the
   * guilty one takes no other suspected one with it, and beside one that hangs; if its next run is the last, it always runs by
   * itself, so that none is parked for what another did.
   */
  #suspectsBelow(): number {
    const suspects = [...this.#claimed].filter(([{ suspect }]) => suspect);
    if (suspects.length === 0) return ANY;
    const { handlerAttempts } = this.options;
    const longAgo = performance.now() - SUSPICION_MS;
    const isHanging = suspects.every(
      ([{ attempts }, begunAt]) => attempts < handlerAttempts && begunAt !== null && begunAt <= longAgo,
    );
    return isHanging ? handlerAttempts - 1 : 0;
  }

  #path({ handlerId, storeId }: DeliveryClaim): Sharer[] {
    return [this.#handler(handlerId), { key: storeId, alone: !this.stores.mayHaveConnected }];
  }

  #handler(key: string): Sharer {
    return { key, alone: this.registry.ids.length === 1 };
  }
}

function isSame(one: Line, other: Line): boolean {
  return one.handlerId === other.handlerId && one.tried === other.tried;
}
