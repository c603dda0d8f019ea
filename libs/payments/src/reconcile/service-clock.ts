import type { ObjectList } from '../api/object-list.js';
import { dateOrNull } from '../api/objects/fields.js';
import { ServiceClockUnknownError } from '../common/payments.errors.js';
import type { Database } from '../database/database.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { searchList, type Search, type SearchEnd } from './search-list.js';
import {
  likelyOffset,
  headerReading,
  stampReading,
  type Offset,
  type Span,
  type Stamp,
} from './search-window.js';

/** Payments looked at on either side of a moment. */
const STAMPS = 3;
/** A create that took longer says too little of the moment of its stamp. */
const LONGEST_CREATE = '2 minutes';

/** The create that is searched. What was sent again has no place among the others, except after those from before it was recorded. */
interface SentCreate {
  readonly paymentId: string;
  readonly isSentOnce: boolean;
}

interface StampRow extends Span {
  readonly stamp: string | null;
  /** Whether it was recorded after the create; null: one of them has no event. */
  readonly isLater: boolean | null;
}

/**
 * Finds in one of the service's lists, which go by its clock, what happened at a time of ours (G16). The clocks may differ by any
 * amount: it is derived from payments of ours, and from the `Date` of the very list that is searched. `create`: what is searched, if that is
 * one of ours: its place among the others is told by its number, since any clock may have been set.
 */
export async function searchAtService<Listed, Found>(
  database: Database,
  storeId: string,
  search: Search<Listed, Found>,
  create: SentCreate | null = null,
): Promise<SearchEnd<Found>> {
  const stamps = await stampsAround(database, storeId, search.ours, create);
  return searchList(search, { stamps, header: null }, () => database.businessTime());
}

/**
 * How far the service's clock was probably ahead of ours at that time. `list`: a list of any objects; only the `Date` of its first page is read.
 * @throws ServiceClockUnknownError
 */
export async function serviceOffset(
  database: Database,
  storeId: string,
  ours: Span,
  list: ObjectList<unknown>,
): Promise<Offset> {
  const stamps = await stampsAround(database, storeId, ours, null);
  const from = await database.businessTime();
  const { value: page } = await list.pages().next();
  const to = await database.businessTime();
  const offset = likelyOffset({
    stamps,
    header: page?.date ? headerReading({ from, to }, page.date) : null,
  });
  if (offset === null) throw new ServiceClockUnknownError();
  return offset;
}

/** The timestamps of the service on the payments of ours that were made last before and first after both ends of this time. */
async function stampsAround(
  database: Database,
  storeId: string,
  ours: Span,
  create: SentCreate | null,
): Promise<Stamp[]> {
  const near = (condition: string, order: 'ASC' | 'DESC') =>
    `(SELECT payment_id, first_sent_at, settled_at FROM ${database.table(PaymentsOperationEntity)} operation
          WHERE store_id = $1 AND kind = 'create' AND outcome = 'confirmed'
            AND settled_at - first_sent_at BETWEEN interval '0' AND interval '${LONGEST_CREATE}' AND first_sent_at ${condition}
          ORDER BY first_sent_at ${order} LIMIT ${STAMPS})`;
  const rows = await database.read((reader) =>
    reader.query<StampRow[]>(
      `SELECT first_sent_at AS "from", settled_at AS "to", payment.object ->> 'created_at' AS stamp,
          ${numberOf(database, 'payment.id')} > ${numberOf(database, '$4')} AS "isLater"
        FROM unnest(ARRAY[$2, $3]::timestamptz[]) AS moment (at) CROSS JOIN LATERAL (
          ${near('<= moment.at', 'DESC')} UNION ALL ${near('>= moment.at', 'ASC')}
        ) near JOIN ${database.table(PaymentsPaymentEntity)} payment ON payment.id = near.payment_id`,
      [storeId, ours.from, ours.to, create?.paymentId ?? null],
    ),
  );
  return rows.flatMap((row) => {
    const { from, to, stamp } = row;
    const stampedAt = dateOrNull(stamp);
    const made = create === null ? madeByTime(ours, row) : madeByNumber(create, row);
    return stampedAt === null ? [] : [{ ...stampReading({ from, to }, stampedAt), made }];
  });
}

/** SQL of the number that the record of a payment was given by the database; it grows, whatever clocks do. */
function numberOf(database: Database, paymentId: string): string {
  return `(SELECT id FROM ${database.table(PaymentsEventEntity)}
            WHERE subject_type = 'payment' AND subject_id = ${paymentId}::text AND name = 'payment.submitting' AND to_status IS NOT NULL)`;
}

function madeByTime(ours: Span, { from, to }: Span): Stamp['made'] {
  if (from <= ours.from) return 'before';
  return to >= ours.to ? 'after' : null;
}

function madeByNumber({ isSentOnce }: SentCreate, { isLater }: StampRow): Stamp['made'] {
  if (isLater === false) return 'before';
  return isLater === true && isSentOnce ? 'after' : null;
}
