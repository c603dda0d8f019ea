import type { Database } from '../database/database.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import type { StoreRegistry } from '../stores/store.registry.js';

/** Rows that all stores have in one index, which begins with the store. */
export interface AcrossStores {
  readonly table: string;
  /** SQL condition that the index has too. */
  readonly condition: string;
  /** Further columns of the index: the order of the list. */
  readonly order: readonly string[];
  /** Read from the end of the index. Default: from its beginning. */
  readonly latestFirst?: boolean;
  /** SQL of how many rows the list has. */
  readonly limit: string;
}

/**
 * SQL (FROM …) of the first rows of all managed stores, in no order that stays. The index is walked from one store that has such a row
 * to the next, and only the stores with the first rows of all are read on: of five thousand stores a hundred at most. A second index
 * without the store would make the list cheaper by one step for each store, and each payment dearer.
 */
export function acrossStores(
  database: Pick<Database, 'table'>,
  stores: Pick<StoreRegistry, 'isManaged'>,
  { table, condition, order, latestFirst = false, limit }: AcrossStores,
): string {
  const sorted = (columns: readonly string[]) =>
    columns.map((column) => (latestFirst ? `${column} DESC` : column)).join(', ');
  const head = (from: string) => `(SELECT store_id, ${order.join(', ')} FROM ${table}
      WHERE ${condition}${from} ORDER BY ${sorted(['store_id', ...order])} LIMIT 1)`;
  return `(
    WITH RECURSIVE head AS (
      ${head('')} UNION ALL
      SELECT next.* FROM head CROSS JOIN LATERAL ${head(` AND store_id ${latestFirst ? '<' : '>'} head.store_id`)} next
    )
    SELECT listed.* FROM (
      SELECT head.store_id FROM head
      CROSS JOIN LATERAL (SELECT FROM ${database.table(PaymentsStoreEntity)} store WHERE store.id = head.store_id AND ${stores.isManaged('store')} OFFSET 0) ours
      ORDER BY ${sorted(order.map((column) => `head.${column}`))} LIMIT ${limit}
    ) foremost CROSS JOIN LATERAL (
      SELECT * FROM ${table} WHERE store_id = foremost.store_id AND ${condition} ORDER BY ${sorted(order)} LIMIT ${limit}
    ) listed
    ORDER BY ${sorted(order.map((column) => `listed.${column}`))} LIMIT ${limit}
  )`;
}

/** SQL (FROM …) of the oldest open rows of all stores, `open`, each with its `store`; $1 is how many. By the index, whatever else there is. */
export function oldestOpen(
  database: Pick<Database, 'table'>,
  stores: Pick<StoreRegistry, 'isManaged'>,
  table: string,
): string {
  const which = { table, condition: 'is_open', order: ['since'], limit: '$1::int' };
  return `${acrossStores(database, stores, which)} open JOIN ${database.table(PaymentsStoreEntity)} store ON store.id = open.store_id`;
}
