import type { StoreScope } from '../../common/store.scope.js';
import { isTimestamp } from '../../common/text.js';
import { Given, IsText, Rule } from '../../common/validation.js';

/** Which days of which store. */
export interface DaysInput extends StoreScope {
  /** Business time. All of the day that it is in counts. */
  readonly from: Date;
  /** Business time, not included. At most 92 days later. */
  readonly to: Date;
  /** A name of the IANA database, such as `Europe/Moscow`: where a day begins. Default: `UTC`. */
  readonly timeZone?: string;
}

const LONGEST_MS = 92 * 86_400_000;

export class DaysShape {
  @Rule('must be a valid Date', isTimestamp)
  readonly from!: string;

  @Rule('must be later than from, by at most 92 days', (value, { from }) => isWithin(from, value))
  @Rule('must be a valid Date', isTimestamp)
  readonly to!: string;

  @Given()
  @Rule('must be the name of a time zone, e.g. "Europe/Moscow"', isTimeZone)
  @IsText(64)
  readonly timeZone?: string;
}

function isWithin(from: unknown, to: unknown): boolean {
  if (typeof from !== 'string' || typeof to !== 'string') return true;
  const lengthMs = Date.parse(to) - Date.parse(from);
  return lengthMs > 0 && lengthMs <= LONGEST_MS;
}

/** A name, and no offset: a day is as long as its place says. */
function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).format(0) !== '';
  } catch {
    return false;
  }
}
