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

/** PostgreSQL and JavaScript read the years 1 to 9999 alike; what is beyond could not be stored, and is no time. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

export function isStorableTime(date: Date): boolean {
  return date.getTime() >= FIRST_MS && date.getTime() <= LAST_MS;
}

/** A day of the calendar, `YYYY-MM-DD`. */
export function isDay(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && isRealDay(value);
}

/** A moment, ISO 8601 with its time zone. The largest offset is what PostgreSQL takes; JavaScript would take one of a day. */
export function isTimestamp(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/.test(value) &&
    isRealDay(value.slice(0, 10)) &&
    isStorableTime(new Date(value))
  );
}

/** JavaScript turns the 30th of February into the 1st or 2nd of March. */
function isRealDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return isStorableTime(date) && date.toISOString().startsWith(day);
}
