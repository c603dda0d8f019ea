import { dateOrNull } from '../api/objects/fields.js';
import { HOUR_MS } from '../common/durations.js';
import type { Database } from '../database/database.js';
import type { Span } from '../reconcile/search-window.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import type { PaymentsRefundEntity } from '../schema/refund.entity.js';

/** A slice of the period: on our clock, and on the service's. */
export interface AuditSpans {
  readonly ours: Span;
  readonly theirs: Span;
}

/** Where a page of our rows ends. */
interface Place {
  readonly at: string;
  readonly id: string;
}

interface CreatedRow {
  readonly serviceId: string | null;
  readonly createdAt: Date;
  /** When the service says that it made it. */
  readonly stamp: string | null;
  readonly place: Place;
}

/** Rows of one statement: a busy day of a large shop has many times as many. */
const PAGE = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** A create may reach the service this long after its row: keys live for 24 h. */
const EARLIER_MS = 25 * HOUR_MS;

/** A store's rows for an audit, page by page. */
export class AuditRows {
  constructor(
    private readonly database: Database,
    private readonly storeId: string,
  ) {}

  /**
   * The service's ids of ours that it created in this time, according to its answers. Their timestamps are parsed here: a single
   * invalid one would fail the whole statement in PostgreSQL.
   */
  async created(
    entity: new () => PaymentsPaymentEntity | PaymentsRefundEntity | PaymentsReceiptEntity,
    { ours, theirs }: AuditSpans,
  ): Promise<string[]> {
    const latest = new Date(ours.to.getTime() + EARLIER_MS);
    const ids: string[] = [];
    let from: Place | null = { at: new Date(ours.from.getTime() - EARLIER_MS).toISOString(), id: BEFORE_ALL };
    while (from !== null) {
      const rows: CreatedRow[] = await this.#page(entity, from, latest);
      for (const { serviceId, createdAt, stamp } of rows) {
        const stampedAt = dateOrNull(stamp);
        const isTheirs = stampedAt ? isWithin(theirs, stampedAt) : isWithin(ours, createdAt);
        if (serviceId !== null && isTheirs) ids.push(serviceId);
      }
      from = rows.length < PAGE ? null : (rows.at(-1)?.place ?? null);
    }
    return ids;
  }

  /** Those with these ids of the service. */
  known<Entity extends PaymentsPaymentEntity | PaymentsRefundEntity>(
    entity: new () => Entity,
    serviceIds: readonly string[],
  ): Promise<Entity[]> {
    const { database, storeId } = this;
    const sql = `SELECT ${database.columns(entity, 'known')} FROM ${eachKnown(database, entity)} known`;
    return inPages(serviceIds, PAGE, async (page) => {
      const rows = await database.read((from) =>
        from.query<Readonly<Record<string, unknown>>[]>(sql, [storeId, page]),
      );
      return rows.map((row) => database.hydrate(entity, 'known', row));
    });
  }

  #page(entity: new () => object, from: Place, latest: Date): Promise<CreatedRow[]> {
    return this.database.read((reader) =>
      reader.query<CreatedRow[]>(
        `SELECT service_id AS "serviceId", created_at AS "createdAt", object ->> 'created_at' AS stamp,
           json_build_object('at', created_at, 'id', id) AS place
         FROM ${this.database.table(entity)}
         WHERE store_id = $1 AND (created_at, id) > ($2::timestamptz, $3::uuid) AND created_at < $4
         ORDER BY created_at, id LIMIT ${PAGE}`,
        [this.storeId, from.at, from.id, latest],
      ),
    );
  }
}

/**
 * SQL of the rows of store $1 with these ids of the service, $2. Each by its key: of a few ids at once the planner would rather
 * read all rows of the store, where statistics are old.
 */
export function eachKnown(database: Database, entity: new () => object): string {
  return `unnest($2::text[]) AS wanted (id) CROSS JOIN LATERAL (
      SELECT * FROM ${database.table(entity)} WHERE store_id = $1 AND service_id = wanted.id OFFSET 0
    )`;
}

/** What a statement finds for any number of ids, so many at a time. */
export async function inPages<Row>(
  ids: readonly string[],
  size: number,
  read: (page: readonly string[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let start = 0; start < ids.length; start += size)
    found.push(...(await read(ids.slice(start, start + size))));
  return found;
}

function isWithin({ from, to }: Span, date: Date): boolean {
  return date >= from && date < to;
}
