import { Injectable, Logger } from '@nestjs/common';
import { andOthers, FAILURE_LOG_MS, LogLimit } from '../common/log-limit.js';
import { messageOf } from '../common/message-of.js';
import { StoreTurns } from '../stores/store-turns.js';
import { BatchLoop } from '../work/batch-loop.js';
import { Shutdown } from '../work/shutdown.js';
import type { Claim } from './claim.js';
import { Claims } from './claims.js';
import { Reconciler } from './reconciler.js';

/** The sweep's re-reads: whatever is due, of whichever store has its turn. */
@Injectable()
export class Rereads {
  readonly #logger = new Logger('Payments');
  readonly #failures = new LogLimit(FAILURE_LOG_MS);
  /** Claimed by this process, by store. */
  readonly #taken = new Map<string, number>();
  #failing = 0;
  /** The last claim left out what has its share already. */
  #leftOut = false;

  constructor(
    private readonly turns: StoreTurns,
    private readonly claims: Claims,
    private readonly reconciler: Reconciler,
    private readonly shutdown: Shutdown,
  ) {}

  /** SQL condition: there is something to re-read. */
  get waits(): string {
    return this.turns.anyWaits((storeId) => this.claims.waits(storeId));
  }

  /** Does `slots` of them at once. */
  loop(slots: number, onError: (error: unknown) => void): BatchLoop<Claim> {
    const loop: BatchLoop<Claim> = new BatchLoop(
      {
        take: (most) => this.#take(slots, most),
        run: async (claim) => {
          await this.#run(claim);
          if (this.#leftOut && this.#hasRoom(slots, claim)) loop.wake();
        },
        giveBack: (claim) => this.#giveBack(claim),
      },
      slots,
      onError,
    );
    return loop;
  }

  async #take(slots: number, most: number): Promise<Claim[]> {
    if (this.shutdown.hasBegun) return [];
    const full = [...this.#taken.keys()].filter((id) => this.#roomOf(slots, id) === 0);
    const failing = this.#roomOfFailing(slots);
    this.#leftOut = full.length > 0 || failing === 0;
    const stores = await this.turns.waiting((id) => this.claims.waits(id), full, most);
    if (stores.length === 0) return [];
    const rooms = stores.map((id) => ({ id, most: Math.min(most, this.#roomOf(slots, id)) }));
    const claims = await this.claims.take({ stores: rooms, most, failing });
    for (const claim of claims) this.#count(claim, 1);
    const isLeftOut = (claim: Claim) => !this.#hasRoom(slots, claim);
    this.#leftOut ||= claims.some(isLeftOut);
    return claims;
  }

  #hasRoom(slots: number, { payment: { storeId }, due: { failing } }: Claim): boolean {
    return this.#roomOf(slots, storeId) > 0 && (!failing || this.#roomOfFailing(slots) > 0);
  }

  /** Where there are several stores, each gets at most half of the slots. */
  #roomOf(slots: number, storeId: string): number {
    return this.turns.areMany ? roomIn(slots, this.#taken.get(storeId) ?? 0) : Infinity;
  }

  /** Those that failed last time get at most half of the slots. */
  #roomOfFailing(slots: number): number {
    return roomIn(slots, this.#failing);
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

  async #giveBack(claim: Claim): Promise<void> {
    this.#count(claim, -1);
    await this.claims.giveBack(claim);
  }

  #count({ payment: { storeId }, due: { failing } }: Claim, change: 1 | -1): void {
    const count = (this.#taken.get(storeId) ?? 0) + change;
    if (count === 0) this.#taken.delete(storeId);
    else this.#taken.set(storeId, count);
    if (failing) this.#failing += change;
  }

  #report({ paymentId }: Claim, error: unknown): void {
    const count = this.shutdown.hasBegun ? null : this.#failures.take();
    if (count === null) return;
    const message = messageOf(error);
    this.#logger.warn(
      `Payment ${paymentId} could not be re-read and will be tried again: ${message}${andOthers(count)}`,
    );
  }
}

/** What one share, half of the slots, has left; none where a claim is not worth so little. */
function roomIn(slots: number, taken: number): number {
  const room = Math.max(1, Math.floor(slots / 2)) - taken;
  return room < slots / 4 ? 0 : room;
}
