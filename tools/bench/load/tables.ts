import type { Client } from 'pg';

/** The module's tables as they are in this database. The one place that knows which columns there are to fill. */
export class Tables {
  private constructor(private readonly columns: ReadonlyMap<string, ReadonlySet<string>>) {}

  static async of(client: Client): Promise<Tables> {
    const { rows } = await client.query<{ table: string; columns: string[] }>(
      `SELECT table_name::text AS table, array_agg(column_name::text) AS columns
       FROM information_schema.columns WHERE table_name LIKE 'payments\\_%' GROUP BY table_name`,
    );
    return new Tables(new Map(rows.map(({ table, columns }) => [table, new Set(columns)])));
  }

  has(table: string): boolean {
    return this.columns.has(table);
  }

  /** An INSERT of these values, SQL by column, from a FROM clause; columns that the table lacks are left out. */
  insert(table: string, values: Readonly<Record<string, string>>, from: string): string {
    const known = this.columns.get(table);
    const columns = Object.keys(values).filter((column) => known?.has(column));
    const chosen = columns.map((column) => values[column]).join(', ');
    return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${chosen} FROM ${from}`;
  }
}
