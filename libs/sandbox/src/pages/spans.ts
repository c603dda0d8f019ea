import { DAY_MS, HOUR_MS, MINUTE_MS } from '../common/time.js';

/** A length of time in its two largest units: `45 s`, `12 min`, `3 h 5 min`, `6 days 4 h`. */
export function spanText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / 1000)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms < DAY_MS) return twoUnits(ms, HOUR_MS, 'h', MINUTE_MS, 'min');
  return twoUnits(ms, DAY_MS, ms < 2 * DAY_MS ? 'day' : 'days', HOUR_MS, 'h');
}

/** `2030-06-15 12:00:00`, UTC like all times of the service. */
export function momentText(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

function twoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}
