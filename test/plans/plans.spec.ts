import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { bulkStores, loadBulk } from './bulk.js';
import { costOf } from './explain.js';
import { judge, matches, faultsOf, unsent, type Judged } from './judge.js';
import { normalised } from './normalised.js';
import { recordScenarios, type Recorded } from './scenarios.js';

describe('every statement the module sends', () => {
  let recorded: Recorded;
  let large: TestDatabase;
  let judged: Judged[];
  beforeAll(async () => {
    recorded = await recordScenarios();
    large = await createTestDatabase();
    const client = new Client(large.url);
    await client.connect();
    await loadBulk(client, 50_000);
    await client.end();
    judged = await judge(recorded, large.url);
  }, 600_000);
  afterAll(async () => {
    await recorded?.close();
    await large?.drop();
  });

  it('finds what it needs by an index among 50,000 payments that nobody analyzed, and touches no more rows than its bound', () => {
    expect(faultsOf(judged)).toEqual([]);
  });

  it('is listed in test/plans/bounds.ts, which lists no other', () => {
    expect(unsent(judged)).toEqual([]);
  });

  it('leaves an index that finds only the newest payments of a store with these last four card digits', async () => {
    const client = new Client(large.url);
    await client.connect();
    await client.query('BEGIN');
    const search = {
      sql: `SELECT id FROM payments_payments WHERE store_id = $1 AND card_last4 = $2 ORDER BY created_at DESC LIMIT 3`,
      parameters: [bulkStores.shop, '1234'],
      settings: '',
    };
    const { scanned, rows } = await costOf(client, search, 'these');
    await client.end();
    expect({ scanned, rows }).toEqual({ scanned: [], rows: 3 });
  });
});

describe('a statement', () => {
  it('has one text whatever its clock, its ids and the length of its lists', () => {
    const at = (offset: string, values: string) =>
      normalised(`UPDATE "public"."payments_stores" SET "maintenance_at" = ((clock_timestamp() + interval '${offset} milliseconds') + interval '60 milliseconds')
        -- why
        WHERE "id" IN (${values})`);
    expect(at('0', '$1, $2')).toBe(
      'UPDATE payments_stores SET maintenance_at = clock_timestamp() WHERE id IN ($n)',
    );
    expect(at('-7', '$1')).toBe(at('0', '$1, $2'));
    expect(
      normalised(
        `SELECT "Order"."id" AS "Order_id", "Order"."state" AS "Order_state" FROM "payments_orders" "Order"`,
      ),
    ).toBe('SELECT … FROM payments_orders Order');
    expect(
      normalised(`INSERT INTO "payments_orders"("id", "state") VALUES ($1, DEFAULT), ($2, DEFAULT)`),
    ).toBe('INSERT INTO payments_orders(…) VALUES ($n)');
  });

  it('is matched by a pattern of its essential parts', () => {
    const text = 'SELECT … FROM payments_orders WHERE (id = $n) LIMIT 1';
    expect(matches('SELECT … FROM payments_orders WHERE (id = $n) …', text)).toBe(true);
    expect(matches('SELECT … WHERE (id = $n)', text)).toBe(false);
  });
});
