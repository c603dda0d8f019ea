import * as fc from 'fast-check';
import { Client } from 'pg';
import { acrossStores } from '../../libs/payments/src/operator/across-stores.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const MANAGED = 4;
const LIMIT = 2;
const storeId = (store: number): string => `00000000-0000-4000-8000-00000000000${store}`;

/** Few values, so that rows of several stores are alike in the first column, or in both. */
const rows = fc.array(
  fc.record({ store: fc.nat(MANAGED + 1), known: fc.boolean(), at: fc.nat(6), open: fc.boolean() }),
  { maxLength: 30 },
);

describe('a list of all stores', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client(database.url);
    await client.connect();
    await client.query(`
      CREATE TEMP TABLE listed_rows (store_id uuid, known boolean, at int, is_open boolean);
      CREATE TEMP TABLE listed_stores AS SELECT id FROM unnest(ARRAY[${Array.from({ length: MANAGED + 2 }, (_, store) => `'${storeId(store)}'::uuid`).join(', ')}]) id`);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([false, true])(
    'has the first rows of those that are managed, by each column of the order (from the end: %s)',
    async (latestFirst) => {
      const list = acrossStores(
        { table: () => 'listed_stores' },
        { isManaged: (alias) => `${alias}.id <= '${storeId(MANAGED)}'` },
        {
          table: 'listed_rows',
          condition: 'is_open',
          order: ['known', 'at'],
          latestFirst,
          limit: String(LIMIT),
        },
      );
      const way = latestFirst ? ' DESC' : '';
      await fc.assert(
        fc.asyncProperty(rows, async (all) => {
          await client.query('TRUNCATE listed_rows');
          await client.query(
            `INSERT INTO listed_rows SELECT store_id, known, at, is_open
             FROM json_to_recordset($1) AS given (store_id uuid, known boolean, at int, is_open boolean)`,
            [
              JSON.stringify(
                all.map(({ store, open, ...row }) => ({ ...row, store_id: storeId(store), is_open: open })),
              ),
            ],
          );
          const order = `ORDER BY known${way}, at${way}`;
          const { rows: listed } = await client.query(`SELECT known, at FROM ${list} listed ${order}`);
          const { rows: expected } = await client.query(
            `SELECT known, at FROM listed_rows WHERE is_open AND store_id <= '${storeId(MANAGED)}' ${order} LIMIT ${LIMIT}`,
          );
          expect(listed).toEqual(expected);
        }),
        { numRuns: 100 },
      );
    },
  );
});
