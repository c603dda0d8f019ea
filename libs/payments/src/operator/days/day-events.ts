import { plusMs } from '../../common/clock.js';
import { useIndexOrder } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { PaymentsCommitMarkEntity } from '../../schema/commit-mark.entity.js';
import { countedByDay, PaymentsEventEntity } from '../../schema/event.entity.js';
import { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { timeSql } from '../place.js';
import type { DaySum } from './day-tally.js';
import type { DaysShape } from './days.input.js';

/** Business time, as PostgreSQL writes it: with microseconds, which a Date does not have. */
type Moment = string;

/** A period as the database's calendar has it. */
export interface Calendar {
  /** All its days, `2030-01-31`, in their order. */
  readonly days: readonly string[];
  /** The last moment before its first day. */
  readonly after: Moment;
  /** Its own last moment. */
  readonly upTo: Moment;
  /** Up to here nothing is added any more, of this period. */
  readonly closedTo: Moment;
  /** Whether something may still be added before the period begins. */
  readonly beginsOpen: boolean;
  /** Where the moment that was asked about lies; all false without one. */
  readonly moment: {
    /** After the whole period. */
    readonly isAfter: boolean;
    /** Before the period. */
    readonly isBefore: boolean;
    /** Something may still be added before it: the clock was put back. */
    readonly isOpen: boolean;
  };
  readonly now: Date;
  /** Changes when the database is found to have forgotten commits; null: it is not known yet. */
  readonly epoch: string | null;
}

/** A time of one store: all later than `after`, and not later than `upTo`. */
interface Stretch {
  readonly storeId: string;
  readonly after: Moment;
  readonly upTo: Moment;
}

/** Where days begin, and up to when their events are complete. */
interface Days {
  readonly timeZone: string;
  readonly closedTo: Moment;
}

/** What one statement has read. */
export interface EventPage {
  /** Of events that nothing is added to any more. */
  readonly closed: readonly DaySum[];
  /** Of later ones. */
  readonly open: readonly DaySum[];
  /** Up to when `closed` has all. */
  readonly closedTo: Moment;
  /** Where the next page begins; null: the stretch is read. */
  readonly next: Moment | null;
}

interface PageRow {
  readonly sums: readonly (DaySum & { readonly isClosed: boolean })[];
  readonly isFull: boolean;
  readonly last: Moment | null;
  readonly closedTo: Moment;
}

/**
 * An event is committed at most this long after its time: its transaction ends within ten seconds, on a server whose clock may be behind
 * that of the one before.
 */
const OPEN_MS = 15 * 60_000;
/** Events of one statement, each with its payment. */
const PAGE = 5_000;

/** @param moment one that is known to be closed, or null */
export async function calendarOf(
  database: Database,
  { from, to }: Pick<DaysShape, 'from' | 'to'>,
  timeZone: string,
  moment: Moment | null,
): Promise<Calendar> {
  const { now } = database;
  const [calendar] = await database.read((reader) =>
    reader.query<Calendar[]>(
      `SELECT ARRAY(SELECT to_char(first + n, 'YYYY-MM-DD') FROM generate_series(0, last - first) n ORDER BY n) AS days,
           ${timeSql('after')} AS after, ${timeSql('up_to')} AS "upTo",
           ${timeSql('LEAST(up_to, closed)')} AS "closedTo", after > closed AS "beginsOpen",
           json_build_object('isAfter', COALESCE(moment > up_to, false), 'isBefore', COALESCE(moment < after, false),
             'isOpen', COALESCE(moment > closed, false)) AS moment, ${now} AS now,
           (SELECT epoch FROM ${database.table(PaymentsCommitMarkEntity)} WHERE id = 1) AS epoch
         FROM (
           -- Where clocks are set back from one to midnight, a day has two midnights, and PostgreSQL takes the second.
           SELECT midnight::date AS first, (up_to AT TIME ZONE $3::text)::date AS last, up_to, ${plusMs(now, -OPEN_MS)} AS closed, $4::timestamptz AS moment,
             CASE WHEN (begin - interval '1 hour') AT TIME ZONE $3::text >= midnight THEN begin - interval '1 hour' ELSE begin END
               - interval '1 microsecond' AS after
           FROM (SELECT $2::timestamptz - interval '1 microsecond' AS up_to, date_trunc('day', $1::timestamptz AT TIME ZONE $3::text) AS midnight) ends,
             LATERAL (SELECT midnight AT TIME ZONE $3::text AS begin) day
         ) period`,
      [from, to, timeZone, moment],
    ),
  );
  if (!calendar) throw new Error('PostgreSQL did not return the calendar.');
  return calendar;
}

/** The first of a stretch. Those of one moment are in one page. */
export async function eventPage(
  database: Database,
  { storeId, after, upTo }: Stretch,
  { timeZone, closedTo }: Days,
): Promise<EventPage> {
  const [row] = await database.transaction(async (manager) => {
    await useIndexOrder(manager);
    return manager.query<PageRow[]>(pageStatement(database), [storeId, after, upTo, closedTo, timeZone]);
  });
  if (!row) throw new Error('PostgreSQL did not return the sums.');
  const sums = (isClosed: boolean) =>
    row.sums
      .filter((sum) => sum.isClosed === isClosed)
      .map(({ day, name, reason, count, sumMinor }) => ({ day, name, reason, count, sumMinor }));
  return {
    closed: sums(true),
    open: sums(false),
    closedTo: row.closedTo,
    next: row.isFull ? row.last : null,
  };
}

/** OFFSET 0 keeps each look with its row, whatever statistics say. */
function pageStatement(database: Database): string {
  const names = countedByDay.map((name) => `'${name}'`).join(', ');
  return `WITH page AS MATERIALIZED (
        SELECT name, payment_id, subject_id, created_at FROM ${database.table(PaymentsEventEntity)}
        WHERE name IN (${names}) AND (store_id, created_at) > ($1::uuid, $2::timestamptz) AND (store_id, created_at) <= ($1::uuid, $3::timestamptz)
        ORDER BY store_id, created_at FETCH FIRST ${PAGE} ROWS WITH TIES
      ), counted AS (
        SELECT (page.created_at AT TIME ZONE $5::text)::date AS day, page.created_at <= $4::timestamptz AS is_closed, page.name,
          payment.cancellation ->> 'reason' AS reason,
          CASE page.name WHEN 'payment.succeeded' THEN payment.captured_minor
            WHEN 'payment.waiting_for_capture' THEN payment.authorized_minor
            WHEN 'refund.succeeded' THEN (SELECT amount_minor FROM ${database.table(PaymentsRefundEntity)} WHERE id = page.subject_id::uuid)
            ELSE 0 END AS amount_minor
        FROM page CROSS JOIN LATERAL (SELECT * FROM ${database.table(PaymentsPaymentEntity)} WHERE id = page.payment_id OFFSET 0) payment
      ), sums AS (
        SELECT to_char(day, 'YYYY-MM-DD') AS day, is_closed AS "isClosed", name, reason, count(*) AS count,
          COALESCE(sum(amount_minor), 0) AS "sumMinor"
        FROM counted GROUP BY counted.day, is_closed, name, reason
      ), ended AS (SELECT count(*) >= ${PAGE} AS is_full, max(created_at) AS last FROM page)
      SELECT (SELECT COALESCE(json_agg(sums), '[]') FROM sums) AS sums, is_full AS "isFull", ${timeSql('last')} AS last,
        ${timeSql('CASE WHEN is_full THEN LEAST(last, $4::timestamptz) ELSE $4::timestamptz END')} AS "closedTo"
      FROM ended`;
}
