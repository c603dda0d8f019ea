import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Database } from '../database/database.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { Shares, type Sharer } from '../work/shares.js';
import { BATCH, DeliveryClaims, FIRST_STORE, type DeliveryClaim, type Line } from './delivery-claims.js';
import { HandlerRegistry } from './handler.registry.js';

/** A claimed delivery that finds no slot for this long is returned, so that another process may make it. */
const PATIENCE_MS = 1_000;

/** A run that ends its process mostly does so at once. A suspected run that lasts longer may hang, and must not delay others. */
const SUSPICION_MS = 1_000;
/** More runs than any has. */
const ANY = 2 ** 31 - 1;

/** A delivery to be made now, and the function that frees its slot. */
interface BegunDelivery {
  readonly claim: DeliveryClaim;
  readonly end: () => void;
}

/**
 * Decides which delivery this process makes next. Handlers and, within each, stores share its slots, so that a slow one only
 * delays itself; deliveries never run and those tried before take turns.
 */
@Injectable()
export class DeliveryTurns implements BeforeApplicationShutdown {
  /** At most half of the pool runs handlers, so that waiting deliveries can never starve what they wait for. */
  readonly slots: number;
  readonly #shares: Shares;
  /** When each was begun, by this process's own clock. */
  readonly #begun = new Map<DeliveryClaim, number>();
  /** Claimed and not begun. */
  #waiting: DeliveryClaim[] = [];
  /** The queue that had the last turn is at the end. */
  #lines: Line[] | null = null;
  #claiming: Promise<boolean> | null = null;
  /** The last look returned as much as a look may. */
  #isFlowing = false;
  #over = false;

  constructor(
    database: Database,
    private readonly claims: DeliveryClaims,
    private readonly registry: HandlerRegistry,
    private readonly stores: StoreRegistry,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    this.slots = Math.max(1, Math.floor(database.poolSize / 2));
    this.#shares = new Shares(this.slots);
  }

  /** null if nothing is due that may have a slot. */
  async next(): Promise<BegunDelivery | null> {
    for (;;) {
      const begun = this.#over ? null : this.#begin();
      if (begun && this.#isFlowing && this.#waiting.length < this.slots / 2)
        // Ahead of need, so that no slot waits for it. If it fails, the next look fails too, and is reported.
        void this.#look().catch(() => false);
      if (begun || this.#over) return begun;
      if (!(await this.#look())) return null;
    }
  }

  /** Those who look at the same moment share one look. */
  #look(): Promise<boolean> {
    this.#claiming ??= this.#claim().finally(() => (this.#claiming = null));
    return this.#claiming;
  }

  /** Returns what was not begun, so that no other process has to wait for its lease. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#over = true;
    await this.#claiming?.catch(() => false);
    await this.#giveBack(this.#waiting);
  }

  #begin(): BegunDelivery | null {
    const claim = this.#waiting.find((waiting) => this.#hasRoom(waiting));
    if (!claim) return null;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== claim);
    this.#begun.set(claim, performance.now());
    const release = this.#shares.take(...this.#path(claim));
    return {
      claim,
      end: () => {
        this.#begun.delete(claim);
        release();
      },
    };
  }

  /**
   * Whether there is more to begin. Only queues that may begin something are looked at, so little is ever claimed and not begun.
   */
  async #claim(): Promise<boolean> {
    let lines = this.#openLines();
    while (lines.length > 0) {
      const turn = await this.claims.take(lines, this.#busyStores(), this.#suspectsBelow());
      this.#isFlowing = turn !== null && turn.claims.length === BATCH;
      if (!turn) return false;
      const { line, storeId, claims } = turn;
      const others = this.#everyLine().filter((other) => !isSame(other, line));
      this.#lines = [...others, { ...line, lastStore: storeId }];
      if (claims.length > 0) {
        this.#wait(claims);
        return true;
      }
      // Another process is claiming everything due there.
      lines = lines.filter((other) => other !== line);
    }
    return false;
  }

  #wait(claims: readonly DeliveryClaim[]): void {
    this.#waiting.push(...claims);
    if (claims.length === 1) return;
    // While a run of the full time still fits into the lease.
    const patience = Math.min(PATIENCE_MS, this.options.handlerLeaseMs - this.options.handlerTimeoutMs);
    setTimeout(() => {
      // If it fails, it is repeated with the next look.
      this.#giveBack(this.#waiting.filter((waiting) => claims.includes(waiting))).catch(() => undefined);
    }, patience).unref();
  }

  async #giveBack(claims: readonly DeliveryClaim[]): Promise<void> {
    this.#waiting = this.#waiting.filter((waiting) => !claims.includes(waiting));
    await this.claims.giveBack(claims);
  }

  #everyLine(): Line[] {
    this.#lines ??= [false, true].flatMap((tried) =>
      this.registry.ids.map((handlerId) => ({ handlerId, tried, lastStore: FIRST_STORE })),
    );
    return this.#lines;
  }

  #openLines(): Line[] {
    return this.#everyLine().filter(({ handlerId }) => this.#shares.room(this.#handler(handlerId)) > 0);
  }

  /** Stores of a handler that already have their share of its slots. */
  #busyStores(): DeliveryClaim[] {
    return [...this.#begun.keys()].filter((begun) => !this.#hasRoom(begun));
  }

  /**
   * How few runs a delivery that may have ended its process must have had, to be run now. They run one at a time, so that the
   * guilty one takes no other suspected one with it, and beside one that hangs; if its next run is the last, it always runs by
   * itself, so that none is parked for what another did.
   */
  #suspectsBelow(): number {
    if (this.#waiting.some(({ suspect }) => suspect)) return 0;
    const suspects = [...this.#begun].filter(([{ suspect }]) => suspect);
    if (suspects.length === 0) return ANY;
    const { handlerAttempts } = this.options;
    const longAgo = performance.now() - SUSPICION_MS;
    const isHanging = suspects.every(
      ([{ attempts }, begunAt]) => attempts < handlerAttempts && begunAt <= longAgo,
    );
    return isHanging ? handlerAttempts - 1 : 0;
  }

  #hasRoom(claim: DeliveryClaim): boolean {
    return this.#shares.room(...this.#path(claim)) > 0;
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
