import { DAY_MS } from '../../common/durations.js';
import type { Database } from '../../database/database.js';
import { calendarOf, eventPage, type Calendar, type EventPage } from './day-events.js';
import { daysOf, emptyTally, withSums, type DayOfMoney, type DayTally } from './day-tally.js';
import type { DaysShape } from './days.input.js';

interface StoreDays {
  readonly storeId: string;
  /** Where its days begin. */
  readonly timeZone: string;
}

/** What is over of such days. */
interface Kept {
  readonly tally: DayTally;
  /** Its first day, and the last moment before that. */
  readonly firstDay: string;
  readonly after: string;
  /** Up to when the tally has all. */
  readonly closedTo: string;
  readonly epoch: string | null;
  /** When the first of it was summed up. */
  readonly madeAt: Date;
}

/** A wrong sum, should there be a way to one that nobody thought of, lasts no longer than this. */
const KEPT_MS = DAY_MS;
/** Each has a few kilobytes. */
const MOST_KEPT = 64;

/**
 * Sums up days. A process reads each event once, and then for a day no more: whoever looks again has those read that came since, and
 * those of the last quarter of an hour.
 */
export class DailyMoney {
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly database: Database) {}

  async days(storeId: string, period: DaysShape): Promise<DayOfMoney[]> {
    const { timeZone = 'UTC' } = period;
    const of = { storeId, timeZone };
    const { known, calendar } = await this.#find(of, period);
    const { days, after, upTo, closedTo } = calendar;
    // Of its last day the kept sums may say more than what the period has. And where nothing of a period is over, nothing is to be kept.
    if (calendar.moment.isAfter || calendar.beginsOpen) {
      const { tally } = await this.#read(of, nothingOf(calendar), { upTo, closedTo: upTo });
      return daysOf(tally, days);
    }
    // What lies between is of neither period.
    let begun = known === null || calendar.moment.isBefore ? nothingOf(calendar) : known;
    if ((days[0] ?? '') < begun.firstDay) {
      const until = { upTo: begun.after, closedTo: begun.after };
      const { tally } = await this.#read(of, nothingOf(calendar), until);
      begun = { ...begun, firstDay: days[0] ?? '', after, tally: withSums(tally, [...begun.tally.values()]) };
    }
    const { tally } = await this.#read(of, begun, { upTo, closedTo }, (kept) => this.#keep(of, kept));
    return daysOf(tally, days);
  }

  /** What is kept, if it still holds, and the period's calendar beside it. */
  async #find(of: StoreDays, period: DaysShape): Promise<{ known: Kept | null; calendar: Calendar }> {
    const known = this.#kept.get(keyOf(of)) ?? null;
    const calendar = await calendarOf(this.database, period, of.timeZone, known?.closedTo ?? null);
    if (known === null || isStill(known, calendar)) return { known, calendar };
    return { known: null, calendar: await calendarOf(this.database, period, of.timeZone, null) };
  }

  /** The sums up to a time, page by page; those that nothing is added to are handed over to be kept, so that no page is read in vain. */
  async #read(
    { storeId, timeZone }: StoreDays,
    begun: Kept,
    { upTo, closedTo }: Pick<Calendar, 'upTo' | 'closedTo'>,
    keep: (kept: Kept) => void = () => undefined,
  ): Promise<{ tally: DayTally }> {
    let kept = begun;
    let open = emptyTally;
    let after: string | null = begun.closedTo;
    while (after !== null) {
      const page: EventPage = await eventPage(
        this.database,
        { storeId, after, upTo },
        { timeZone, closedTo },
      );
      kept = { ...kept, tally: withSums(kept.tally, page.closed), closedTo: page.closedTo };
      open = withSums(open, page.open);
      keep(kept);
      after = page.next;
    }
    return { tally: withSums(kept.tally, [...open.values()]) };
  }

  #keep(of: StoreDays, kept: Kept): void {
    const key = keyOf(of);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }
}

/** Neither too old, nor of commits that the database has forgotten, nor of a clock that was put back. */
function isStill({ epoch, madeAt }: Kept, { epoch: current, moment, now }: Calendar): boolean {
  return epoch === current && !moment.isOpen && now.getTime() - madeAt.getTime() < KEPT_MS;
}

function nothingOf({ after, days, epoch, now }: Calendar): Kept {
  return { tally: emptyTally, firstDay: days[0] ?? '', after, closedTo: after, epoch, madeAt: now };
}

function keyOf({ storeId, timeZone }: StoreDays): string {
  return `${storeId} ${timeZone}`;
}
