import { isURL, length } from 'class-validator';

/** Counts a character beyond the 16-bit range once. NUL is the one character PostgreSQL cannot store. */
export function isText(value: unknown, minLength: number, maxLength: number): value is string {
  return typeof value === 'string' && !value.includes('\u0000') && length(value, minLength, maxLength);
}

export function isDigits(value: unknown, minLength: number, maxLength: number): value is string {
  return isText(value, minLength, maxLength) && /^\d+$/.test(value);
}

const webAddress = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

/** An http or https address. */
export function isWebAddress(value: unknown, maxLength: number): value is string {
  return isText(value, 1, maxLength) && isURL(value, webAddress) && URL.canParse(value);
}

/** A day of the calendar, `YYYY-MM-DD`. */
export function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isRealDay(value);
}

/** A moment, ISO 8601 with its time zone. */
export function isTimestamp(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    isRealDay(value.slice(0, 10)) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** JavaScript takes the 30th of February for the 1st or 2nd of March. */
function isRealDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
