import { paymentsEntities } from '@holdfast/payments';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase, type OpenDatabase } from '../hosts/open-database.js';
import { workspace } from '../support/packed.js';
import { blockOf } from '../support/page-blocks.js';

describe('the tables in the documents', () => {
  let database: OpenDatabase;
  let page: string;
  /** What its table says to query by, by the name of the table. */
  let described: Map<string, string[]>;
  beforeAll(async () => {
    database = await openDatabase();
    page = await readFile(join(workspace, 'docs/database.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(payments_\w+)` \| .+ \| (.+) \|$/gm)];
    described = new Map(
      rows.map(([, table = '', columns = '']) => [
        table,
        [...columns.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
      ]),
    );
  });
  afterAll(() => database.close());

  it('are all described in docs/database.md, with no column that there is not', async () => {
    const { rows } = await database.sql.query<{ table: string; columns: string[] }>(
      `SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
       WHERE table_schema = 'public' AND starts_with(table_name, 'payments_') GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toHaveLength(paymentsEntities.length);
    expect([...described.keys()].toSorted()).toEqual(rows.map(({ table }) => table));
    const unknown = rows.flatMap(({ table, columns }) =>
      (described.get(table) ?? [])
        .filter((column) => !columns.includes(column))
        .map((column) => `${table}.${column}`),
    );
    expect(unknown).toEqual([]);
  });

  it('answer ten questions with statements that run', async () => {
    const [, block = ''] = /### Ten questions[\s\S]+?```sql\n([\s\S]+?)```/.exec(page) ?? [];
    const statements = block.split(/\n\n/);
    expect(statements.map((statement) => Number(/^-- (\d+)\./.exec(statement)?.[1]))).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    for (const statement of statements)
      await expect(database.sql.query(statement)).resolves.toMatchObject({ rows: [] });
  });

  it('are compared with the host’s own, and its numbers moved on, by the recipe of docs/failover.md', async () => {
    const recipe = await blockOf('docs/failover.md', 'Numbers of orders that are used again', 'sql');
    const [move = '', compare = '', ...others] = recipe.split(/\n\n/);
    expect(others).toEqual([]);
    const { sql } = database;
    await sql.query('BEGIN');
    try {
      await sql.query('CREATE SEQUENCE order_numbers START 7');
      await sql.query('CREATE TABLE orders (reference text)');
      await sql.query(move);
      expect(await sql.query("SELECT nextval('order_numbers')")).toMatchObject({
        rows: [{ nextval: '100008' }],
      });
      await expect(sql.query(compare)).resolves.toMatchObject({ rows: [] });
    } finally {
      await sql.query('ROLLBACK');
    }
  });

  it('are asked by statements that run in docs/at-night.md', async () => {
    const night = await readFile(join(workspace, 'docs/at-night.md'), 'utf8');
    const [, block = ''] = /## The tables[\s\S]+?```sql\n([\s\S]+?)```/.exec(night) ?? [];
    const statements = block.split(/\n\n/);
    expect(statements.length).toBeGreaterThan(9);
    for (const statement of statements)
      await expect(database.sql.query(statement)).resolves.toMatchObject({ rows: [] });
  });
});
