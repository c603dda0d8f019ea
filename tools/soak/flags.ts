import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { Dice } from '../common/dice.js';
import { SEEDS, wholeNumber } from '../common/flags.js';
import { brokenLines, type BrokenLine } from './broken/broken-lines.js';

export const usage = `Usage: npm run soak -- [flags]
  --minutes 10        how long payments are made under faults
  --replicas 3        shop processes on one database, 1 to 16
  --seed N            decides as the run that printed this seed did
  --skew-minutes=N    how far the database's clock is ahead of the service's, behind if negative; by default
                      the seed chooses 7 or -7
  --receipts after    receipts follow the money; by default they go with it
  --failovers N       how often a standby is promoted that misses the last seconds; by default one in two minutes
  --restores N        how often a copy of some time ago takes the database's place; by default one in ten minutes,
                      and one in a shorter run of two minutes or more
  --kill-after-ack N  instead: kills a shop process right after it has acknowledged a notification, N times
  --broken NAME       breaks a line of the module in a copy first, and is good if the soak there finds that:
                      ${brokenLines.map(({ id }) => id).join(', ')}
  --help              prints this
PostgreSQL is started only for this run, because it is stopped and restarted; DATABASE_URL is not used.`;

/** How often the database forgets its last commits. */
export interface Losses {
  readonly failovers: number;
  readonly restores: number;
}

export interface SoakFlags {
  readonly seed: number;
  readonly replicas: number;
  /** How far the database's clock is ahead of the service's; negative: behind. */
  readonly skewMs: number;
  /** Whether receipts go with the money, or follow it. */
  readonly receipts: 'with' | 'after';
  readonly losses: Losses;
  /** What the run has to find; null: nothing. */
  readonly broken: BrokenLine | null;
  readonly goal:
    | { readonly kind: 'minutes'; readonly minutes: number }
    | { readonly kind: 'kills after ack'; readonly kills: number };
}

const MOST_LOSSES = 1_000;
/** A run of this length has one of each. */
const LEAST_MINUTES = 2;
const A_DAY_IN_MINUTES = 24 * 60;

interface LossFlags {
  readonly failovers?: string;
  readonly restores?: string;
}

/** @throws Error that names the bad flag or value */
export function parseFlags(args: readonly string[]): SoakFlags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string' },
      replicas: { type: 'string', default: '3' },
      seed: { type: 'string', default: String(randomInt(SEEDS)) },
      'skew-minutes': { type: 'string' },
      receipts: { type: 'string', default: 'with' },
      failovers: { type: 'string' },
      restores: { type: 'string' },
      'kill-after-ack': { type: 'string' },
      broken: { type: 'string' },
    },
  });
  const { minutes, 'kill-after-ack': kills } = values;
  if (minutes !== undefined && kills !== undefined)
    throw new Error('--minutes and --kill-after-ack are two kinds of run: choose one');
  if (kills !== undefined && (values.failovers ?? values.restores) !== undefined)
    throw new Error('--failovers and --restores are for a run of some minutes: choose one kind of run');
  const seed = wholeNumber('--seed', values.seed, 0, SEEDS);
  const skew = values['skew-minutes'] ?? new Dice(seed, 'skew').pick(['7', '-7']);
  const goal: SoakFlags['goal'] =
    kills === undefined
      ? { kind: 'minutes', minutes: parseMinutes(minutes ?? '10') }
      : { kind: 'kills after ack', kills: wholeNumber('--kill-after-ack', kills, 1, 1_000_000) };
  return {
    seed,
    skewMs: parseSkew(skew) * 60_000,
    receipts: parseReceipts(values.receipts),
    replicas: wholeNumber('--replicas', values.replicas, 1, 16),
    losses: parseLosses(values, goal.kind === 'minutes' ? goal.minutes : 0),
    broken: values.broken === undefined ? null : parseBroken(values.broken),
    goal,
  };
}

function parseBroken(text: string): BrokenLine {
  const line = brokenLines.find(({ id }) => id === text);
  if (line) return line;
  throw new Error(`--broken must be one of ${brokenLines.map(({ id }) => id).join(', ')}, not "${text}"`);
}

/** Fewer would say little about a long run, and a short one has no time for any. */
function parseLosses({ failovers, restores }: LossFlags, minutes: number): Losses {
  const least = minutes < LEAST_MINUTES ? 0 : 1;
  const count = (flag: string, text: string | undefined, everyMinutes: number): number =>
    wholeNumber(flag, text ?? String(Math.max(least, Math.floor(minutes / everyMinutes))), 0, MOST_LOSSES);
  return {
    failovers: count('--failovers', failovers, LEAST_MINUTES),
    restores: count('--restores', restores, 10),
  };
}

function parseReceipts(text: string): SoakFlags['receipts'] {
  if (text === 'with' || text === 'after') return text;
  throw new Error(`--receipts must be with or after, not "${text}"`);
}

function parseSkew(text: string): number {
  if (/^-?\d{1,4}$/.test(text)) return Number(text);
  throw new Error(`--skew-minutes must be a whole number, as in --skew-minutes=-7, not "${text}"`);
}

function parseMinutes(text: string): number {
  const minutes = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && minutes > 0 && minutes <= A_DAY_IN_MINUTES) return minutes;
  throw new Error(
    `--minutes must be a number above 0 and at most ${A_DAY_IN_MINUTES}, such as 10 or 0.5, not "${text}"`,
  );
}
