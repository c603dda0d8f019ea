const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `41 s`, `5 min`, `2 h 10 min`, `6 d`: the two largest parts, as far as they tell more. */
export function durationText(ms: number): string {
  const past = Math.max(0, ms);
  if (past < MINUTE) return `${Math.floor(past / SECOND)} s`;
  if (past < HOUR) return `${Math.floor(past / MINUTE)} min`;
  if (past < DAY) {
    const minutes = Math.floor((past % HOUR) / MINUTE);
    return `${Math.floor(past / HOUR)} h${minutes > 0 ? ` ${minutes} min` : ''}`;
  }
  const hours = Math.floor((past % DAY) / HOUR);
  return `${Math.floor(past / DAY)} d${hours > 0 ? ` ${hours} h` : ''}`;
}

/** `10 min ago`, or `in 7 h 59 min`. */
export function relativeText(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  return ms >= 0 ? `${durationText(ms)} ago` : `in ${durationText(-ms)}`;
}

/** `03:09:31`. */
export function clockText(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(at);
}

/** `23 Nov`, with the year where it is not this one. */
export function dayText(at: Date, now: Date, timeZone: string): string {
  const year = (date: Date) => new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric' }).format(date);
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    ...(year(at) !== year(now) && { year: 'numeric' }),
  }).format(at);
}

/** `2026-11-23`, as that place's calendar has it. */
export function dateOf(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at);
}

/**
 * The first moment of a day (`2026-11-23`) of that place. Where the clocks change between midnight there and in UTC, each of two guesses
 * has one of the offsets; one of them may be an hour early, never late. Of a day whose year has not four digits there is none.
 */
export function dayStart(day: string, timeZone: string): Date {
  const utcMs = Date.parse(`${day}T00:00:00Z`);
  const guessMs = utcMs - offsetMs(new Date(utcMs), timeZone);
  return new Date(Math.max(guessMs, utcMs - offsetMs(new Date(guessMs), timeZone)));
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
}

/** How far the clocks of that place are ahead of UTC at this moment. */
function offsetMs(at: Date, timeZone: string): number {
  if (Number.isNaN(at.getTime())) return NaN;
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(at.getTime() / SECOND) * SECOND;
}
