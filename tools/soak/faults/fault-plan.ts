import type { FaultOrder } from '@holdfast/sandbox';

import { Dice } from '../../common/dice.js';
import { points, type Point } from '../stage/steps.js';
import type { Action } from '../stage/traps.js';

/** One thing that goes wrong. */
export type Fault =
  /** A shop process is killed or stopped, or its lines to database or service break, at once or at a failpoint. */
  | {
      readonly kind: 'replica';
      readonly action: Action;
      readonly at: Point | 'now';
      readonly line: 'database' | 'service';
    }
  | { readonly kind: 'database restart'; readonly downMs: number }
  /** The service fails, or its notifications go astray. */
  | { readonly kind: 'sandbox'; readonly order: FaultOrder }
  /** All shops are gone for longer than the service redelivers, and than its idempotence keys live. */
  | { readonly kind: 'outage'; readonly ms: number };

export interface PlannedFault {
  readonly fault: Fault;
  /** The preferred replica; the next one if that is not running. */
  readonly replica: number;
  /** From this fault to the next. */
  readonly pauseMs: number;
}

type Recipe = (dice: Dice) => Fault;

const A_DAY_MS = 24 * 60 * 60 * 1000;
const LINES = ['database', 'service'] as const;

const now =
  (action: Action): Recipe =>
  (dice) => ({ kind: 'replica', action, at: 'now', line: dice.pick(LINES) });

const at =
  (action: Action, from: readonly Point[] = points): Recipe =>
  (dice) => ({ kind: 'replica', action, at: dice.pick(from), line: dice.pick(LINES) });

const databaseRestart: Recipe = (dice) => ({ kind: 'database restart', downMs: dice.whole(0, 2_000) });

const serviceFault: Recipe = (dice) => ({
  kind: 'sandbox',
  order: {
    on: dice.pick(['create', 'create', 'capture', 'cancel', 'refund', 'refund', 'receipt']),
    times: dice.whole(1, 6),
    ...dice.pick([
      { fault: 'stall', ms: dice.whole(500, 8_000) },
      { fault: 'stall_after_commit', ms: dice.whole(500, 8_000) },
      { fault: 'reset_before_commit' },
      { fault: 'reset_after_commit' },
      { fault: 'error_500_before_commit' },
      { fault: 'error_500_after_commit' },
      { fault: 'too_many_requests' },
      { fault: 'accepted', retry_after: dice.whole(100, 60_000) },
      { fault: 'truncated_body' },
    ] as const),
  },
});

/** Whoever believed it would leave the store alone for a day. */
const askedToWaitADay: Recipe = (dice) => ({
  kind: 'sandbox',
  order: {
    on: dice.pick(['create', 'capture', 'refund', 'read', 'read', 'list_refunds']),
    fault: 'too_many_requests',
    retry_after: A_DAY_MS,
  },
});

const readFault: Recipe = (dice) => ({
  kind: 'sandbox',
  order: {
    on: dice.pick(['read', 'list', 'read_refund', 'list_refunds', 'read_receipt', 'list_receipts']),
    times: dice.whole(1, 6),
    ...dice.pick([
      { fault: 'stall', ms: dice.whole(500, 4_000) },
      { fault: 'reset_after_commit' },
      { fault: 'error_500_before_commit' },
      { fault: 'too_many_requests' },
      { fault: 'truncated_body' },
    ] as const),
  },
});

const notificationFault: Recipe = (dice) => ({
  kind: 'sandbox',
  order: {
    on: 'notification',
    times: dice.whole(1, 8),
    ...dice.pick([
      { fault: 'drop' },
      { fault: 'delay', ms: dice.whole(1_000, 600_000) },
      { fault: 'duplicate', copies: dice.whole(1, 4) },
      { fault: 'reorder' },
    ] as const),
  },
});

const outage: Recipe = () => ({ kind: 'outage', ms: 30 * 60 * 60 * 1000 });

/** How often each comes in one round; a kill at every failpoint once. */
const deck: readonly Recipe[] = [
  ...points.map((point) => at('kill', [point])),
  ...times(14, now('kill')),
  ...times(1, now('stop')),
  ...times(3, at('stop')),
  ...times(2, now('cut')),
  ...times(2, at('cut')),
  ...times(1, now('freeze')),
  ...times(2, at('freeze')),
  ...times(16, serviceFault),
  ...times(6, readFault),
  ...times(8, notificationFault),
  ...times(1, databaseRestart),
  ...times(1, outage),
];

/** Rounds from one long wait to the next: it keeps the sweeps from a store for minutes, where they would be tried no more. */
const ROUNDS_PER_WAIT = 5;

/** Every kind of fault, in an order that the seed decides. */
export function planRound(seed: number, round: number): PlannedFault[] {
  const dice = new Dice(seed, `round ${round}`);
  const recipes = round % ROUNDS_PER_WAIT === 2 ? [...deck, askedToWaitADay] : deck;
  return dice.shuffled(recipes).map((recipe) => ({
    fault: recipe(dice),
    replica: dice.whole(0, 15),
    pauseMs: dice.whole(50, 900),
  }));
}

function times(count: number, recipe: Recipe): Recipe[] {
  return Array.from({ length: count }, () => recipe);
}
