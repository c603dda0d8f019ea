import { Dice } from '../../common/dice.js';
import type { Losses } from '../flags.js';

/** When the database forgets, from the beginning of the storm. */
export type PlannedLoss = { readonly atMs: number } & (
  | {
      readonly kind: 'failover';
      /** The standby gets nothing of what is committed in this time before the primary dies. */
      readonly lostMs: number;
    }
  /** A copy is kept, for the next restore. */
  | { readonly kind: 'copy' }
  | { readonly kind: 'restore' }
);

const MOST_AGE_MS = 2 * 60_000;

/** Spread over the storm, each somewhere in its own part of it, so that there is time to find again what was lost. */
export function planLosses(seed: number, { failovers, restores }: Losses, stormMs: number): PlannedLoss[] {
  const dice = new Dice(seed, 'losses');
  /** Between these shares of the part with this number. */
  const within = (number: number, parts: number, least: number, most: number): number =>
    (stormMs * (number + dice.whole(least, most) / 100)) / parts;
  const promoted = Array.from({ length: failovers }, (_, number): PlannedLoss => ({
    kind: 'failover',
    atMs: within(number, failovers, 20, 70),
    lostMs: dice.whole(1_000, 6_000),
  }));
  const restored = Array.from({ length: restores }, (_, number): PlannedLoss[] => {
    const atMs = within(number, restores, 60, 75);
    const ageMs = Math.min(MOST_AGE_MS, (stormMs / restores) * 0.4);
    return [
      { kind: 'copy', atMs: atMs - ageMs },
      { kind: 'restore', atMs },
    ];
  });
  return [...promoted, ...restored.flat()].toSorted((a, b) => a.atMs - b.atMs);
}
