import type { Claim } from './claim.js';

/** A lane has a turn after so many requests for others: so neither notifications starve polls, nor polls what failed. */
const AFTER = { polls: 8, failing: 32 } as const;
type Behind = keyof typeof AFTER;

/** The turn of a lane that was passed over: one request. */
export interface LaneTurn {
  readonly storeId: string;
  readonly lane: Behind;
}

type Taken = Pick<Claim, 'isSpent'> & {
  readonly payment: Pick<Claim['payment'], 'storeId'>;
  readonly due: Pick<Claim['due'], 'lane'>;
};

/** Counts, by store, the requests for other lanes while some of a lane may have waited. */
export class LaneTurns {
  readonly #passedOver = new Map<string, Readonly<Record<Behind, number>>>();

  /** `isFull`: there may be more than was claimed. */
  took(claims: readonly Taken[], { isFull }: { readonly isFull: boolean }): void {
    for (const storeId of new Set(claims.map(({ payment }) => payment.storeId))) {
      const own = claims.filter(({ payment }) => payment.storeId === storeId);
      const known = this.#passedOver.get(storeId);
      const count = (lane: Behind): number =>
        own.some(({ due }) => due.lane === lane) ? 0 : (known?.[lane] ?? 0) + own.length;
      if (isFull || own.some(({ isSpent }) => isSpent))
        this.#passedOver.set(storeId, { polls: count('polls'), failing: count('failing') });
      else this.#passedOver.delete(storeId);
    }
  }

  /** The next turn. A store that cannot use it goes behind the others. */
  next(): LaneTurn | null {
    for (const [storeId, counts] of this.#passedOver) {
      const lane = (['polls', 'failing'] as const).find((name) => counts[name] >= AFTER[name]);
      if (lane === undefined) continue;
      this.#passedOver.delete(storeId);
      this.#passedOver.set(storeId, counts);
      return { storeId, lane };
    }
    return null;
  }
}
