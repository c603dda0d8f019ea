import { setTimeout as delay } from 'node:timers/promises';

import type { Stage } from '../stage/stage.js';
import { finishRefunds } from '../workload/bank.js';
import type { Onlooker } from './onlooker.js';
import { loadProgress } from './progress.js';

const PAUSE_MS = 250;
/** The step of business time with each look; polls are ten minutes apart at most while a payment is pending. */
const STEP_MS = 10 * 60_000;
/** Longer than the longest pause in the database's own time: minutes, if the service asks for no requests. */
const STUCK_MS = 6 * 60_000;
/** Holds last for a week, and are handled a day before their end. */
const HALF_A_DAY_MS = 12 * 60 * 60_000;
const HALF_DAYS = 16;

/**
 * With no more faults, waits until everything has its end: first what was begun, then, in the week after, the holds that nobody
 * captured or canceled. Gives up if nothing changes for that long; the audit reports what is left.
 */
export async function settle(stage: Stage, onlooker: Onlooker, signal: AbortSignal): Promise<void> {
  for (let halfDays = 0; halfDays < HALF_DAYS; halfDays += 1) {
    if (!(await isSettled(stage, onlooker, signal))) return;
    await stage.advance(HALF_A_DAY_MS);
  }
  await isSettled(stage, onlooker, signal);
}

/** Waits for it; false if it does not come. Time moves on only when nothing is due any more. */
async function isSettled(stage: Stage, onlooker: Onlooker, signal: AbortSignal): Promise<boolean> {
  const { clock, notifications } = stage.sandbox;
  const since = clock.now();
  let due = 0;
  let least = Infinity;
  let changedAt = performance.now();
  while (!signal.aborted && performance.now() - changedAt < STUCK_MS) {
    finishRefunds(stage.sandbox, 0);
    if (due === 0) await stage.advance(STEP_MS);
    await delay(PAUSE_MS);
    const sending = notifications.list().filter(({ done }) => !done).length;
    // In this order: what a look finds is unsettled from then on.
    const looks = await countLooks(onlooker, since, stage.businessOffsetMs);
    const progress = await loadProgress(onlooker);
    due = looks?.due ?? 0;
    const left = sending + due + (looks?.unlisted ?? Infinity) + (progress?.unsettled ?? Infinity);
    if (left === 0) return true;
    if (left < least) [least, changedAt] = [left, performance.now()];
  }
  return false;
}

/**
 * Payments that are due for a look, and stores whose refunds are: that is how refunds made in the Merchant Profile are found
 * without a notification.
 */
async function countLooks(
  onlooker: Onlooker,
  since: Date,
  offsetMs: number,
): Promise<{ due: number; unlisted: number } | undefined> {
  const rows = await onlooker.query<{ due: number; unlisted: number }>(
    `SELECT
       (SELECT count(*) FROM payments_due
        WHERE ready_at <= clock_timestamp() + make_interval(secs => $2::float8 / 1000))::int AS due,
       (SELECT count(*) FROM payments_stores WHERE refunds_seen_to < $1 OR refunds_seen_to IS NULL)::int AS unlisted`,
    [since, offsetMs],
  );
  return rows?.[0];
}
