import { HOUR_MS } from '../common/durations.js';

const FIRST_DELAY_MS = 10_000;
const DELAY_CAP_MS = HOUR_MS;

/** Between two runs of a failing handler: 10, 20, 40 s … one hour. */
export function deliveryDelayMs(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 20), DELAY_CAP_MS);
}
