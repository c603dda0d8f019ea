/** What PostgreSQL cannot store: NUL, and half a surrogate pair, which remains when an emoji is cut in two. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** Without what PostgreSQL cannot store. */
export function storable(text: string): string {
  return text.replace(UNSTORABLE, '');
}

/** Counts a character beyond the 16-bit range once. */
export function isText(value: unknown, minLength: number, maxLength: number): value is string {
  if (typeof value !== 'string' || value !== storable(value)) return false;
  // Never more characters than units, and at least one if there is a unit: counting them is rarely needed.
  const { length } = minLength <= 1 && value.length <= maxLength ? value : Array.from(value);
  return length >= minLength && length <= maxLength;
}

export function isDigits(value: unknown, minLength: number, maxLength: number): value is string {
  return isText(value, minLength, maxLength) && /^\d+$/.test(value);
}

/** A whole http or https address. URL.canParse alone would accept `http:shop.example`, and surrounding spaces. */
export function isWebAddress(value: unknown, maxLength: number): value is string {
  return isText(value, 1, maxLength) && /^https?:\/\/[^\s/]\S*$/i.test(value) && URL.canParse(value);
}

/** Likewise, or a link into an app: `shop://orders/17`. Never one that a browser runs or reads from the device. */
export function isAppAddress(value: unknown, maxLength: number): value is string {
  return (
    isText(value, 1, maxLength) &&
    /^[a-z][a-z0-9+.-]*:\/\/[^\s/]\S*$/i.test(value) &&
    !/^(javascript|data|vbscript|file|blob):/i.test(value) &&
    URL.canParse(value)
  );
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

/** JavaScript turns the 30th of February into the 1st or 2nd of March. */
function isRealDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
