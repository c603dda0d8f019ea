import { Injectable } from '@nestjs/common';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { messageOf } from '../common/message-of.js';
import { PaymentsLog } from '../common/payments-log.js';
import { RateLimiter } from '../stores/rate-limiter.js';
import { StoreTurns } from '../stores/store-turns.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { KeyedLimiter } from '../work/keyed-limiter.js';
import { WorkSignal } from '../work/work-signal.js';
import type { Work } from '../work/worker-pool.js';
import type { Claim } from './claim.js';
import { Claims } from './claims.js';
import { LaneTurns } from './lane-turns.js';
import { Reconciler } from './reconciler.js';

/**
 * A re-read holds no connection while it waits for the service, and what takes long goes on beside these. As many as one claim
 * brings at most, since half of them are written together while the other half is read.
 */
const REREADS_AT_ONCE = 32;
/** How many that hang go on beside these. */
const ASIDE = 2 * REREADS_AT_ONCE;
/** As soon as this many may go on that the rate limiter held back, they do. */
const REFILL = REREADS_AT_ONCE / 2;

/** The sweep's re-reads: whatever is due, of the store whose turn it is. */
@Injectable()
export class Rereads {
  readonly #logger = new PaymentsLog();
  readonly #failures = new LogLimit(FAILURE_LOG_MS);
  /** Claimed by this process. */
  readonly #byStore = new KeyedLimiter(REREADS_AT_ONCE);
  readonly #byLane = new KeyedLimiter(REREADS_AT_ONCE);
  /** The last claim left out stores that have their share already. */
  #leftOut = false;
  readonly #lanes = new LaneTurns();
  /** For what the rate limiter held back. */
  #willWake = false;

  constructor(
    private readonly turns: StoreTurns,
    private readonly claims: Claims,
    private readonly reconciler: Reconciler,
    private readonly limiter: RateLimiter,
    private readonly telemetry: Telemetry,
    private readonly signal: WorkSignal,
  ) {}

  /** SQL condition: there is something to re-read. */
  get waits(): string {
    return this.turns.anyWaits((storeId) => this.claims.waits(storeId));
  }

  get work(): Work<Claim> {
    return {
      slots: REREADS_AT_ONCE,
      ahead: REREADS_AT_ONCE,
      aside: ASIDE,
      take: (most) => this.#take(most),
      run: (claim) => this.#run(claim),
      leadsToMore: (claim) => this.#leftOut && this.#hasRoom(claim),
      giveBack: async (claims) => void (await Promise.all(claims.map((claim) => this.#giveBack(claim)))),
    };
  }

  async #take(most: number): Promise<Claim[]> {
    if (this.turns.isEnding) return [];
    const full = this.#byStore.keys.filter((id) => this.#roomOf(id) === 0);
    const failing = this.#roomOfFailing();
    this.#leftOut = full.length > 0 || failing === 0;
    const stores = await this.turns.waiting((id) => this.claims.waits(id), full, most);
    if (stores.length === 0) return [];
    const rooms = stores.map((id) => ({ id, most: Math.min(most, this.#roomOf(id)) }));
    const turn = await this.#takeTurn(stores, failing);
    const rest = most - turn.length;
    const claims =
      rest === 0 ? turn : [...turn, ...(await this.claims.take({ stores: rooms, most: rest, failing }))];
    for (const claim of claims) this.#note(claim);
    this.#leftOut ||= claims.some((claim) => !this.#hasRoom(claim));
    this.#lanes.took(claims, { isFull: claims.length >= most });
    if (claims.some(({ isSpent }) => isSpent)) this.#wakeRefilled();
    return claims;
  }

  /** One of a lane that was passed over for long enough. */
  async #takeTurn(stores: readonly string[], failing: number): Promise<Claim[]> {
    const turn = this.#lanes.next();
    if (turn === null || !stores.includes(turn.storeId)) return [];
    return this.claims.take({
      stores: [{ id: turn.storeId, most: 1 }],
      most: 1,
      failing,
      turnOf: turn.lane,
    });
  }

  #hasRoom({ payment: { storeId }, due: { lane } }: Claim): boolean {
    return this.#roomOf(storeId) > 0 && (lane !== 'failing' || this.#roomOfFailing() > 0);
  }

  /** A tick may come later than the rate limiter allows polls again, and would leave a part of the rate unused. */
  #wakeRefilled(): void {
    if (this.#willWake) return;
    this.#willWake = true;
    const wake = () => {
      this.#willWake = false;
      this.signal.wake('payments');
    };
    setTimeout(wake, this.limiter.refillMs(REFILL)).unref();
  }

  /** With several stores, each gets at most half of the slots. */
  #roomOf(storeId: string): number {
    return this.turns.areMany ? enough(this.#byStore.leftOfHalf(storeId)) : Infinity;
  }

  /** Those that failed last time get at most half of the slots. */
  #roomOfFailing(): number {
    return enough(this.#byLane.leftOfHalf('failing'));
  }

  async #run(claim: Claim): Promise<void> {
    const { storeId } = claim.payment;
    try {
      await this.reconciler.run(claim, 'sweep');
      this.turns.answered(storeId);
    } catch (error) {
      this.#report(claim, error);
      if (!this.turns.isEnding) await this.turns.failed(storeId, error);
    } finally {
      this.#count(claim, -1);
    }
  }

  #note(claim: Claim): void {
    this.#count(claim, 1);
    const { due, claimedAt, isSpent } = claim;
    const { lane, readyAt } = due;
    // The driver reads an infinite time as a number.
    this.telemetry.time('holdfast.reread.delay.seconds', Number(claimedAt) - Number(readyAt), { lane });
    if (isSpent) this.telemetry.count('holdfast.budget.exhausted', {});
  }

  async #giveBack(claim: Claim): Promise<void> {
    this.#count(claim, -1);
    await this.claims.giveBack(claim);
  }

  #count({ payment: { storeId }, due: { lane } }: Claim, change: 1 | -1): void {
    this.#byStore.count(change, storeId);
    this.#byLane.count(change, lane);
  }

  #report({ paymentId, payment, order }: Claim, error: unknown): void {
    const count = this.turns.isEnding ? null : this.#failures.take();
    if (count === null) return;
    const message = messageOf(error);
    const { reference } = order;
    this.#logger.warn(
      `Payment ${paymentId} of order ${JSON.stringify(reference)} could not be re-read and will be tried again: ${message}${andOthers(count)}`,
      { paymentId, storeId: payment.storeId, order: reference },
    );
  }
}

/** What is left of a share; none if that is too little for a claim. */
function enough(left: number): number {
  return left < REREADS_AT_ONCE / 4 ? 0 : left;
}
