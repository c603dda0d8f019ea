import type { Client } from 'pg';

/** Every column, key, check and index of a schema as PostgreSQL prints them, one per line. */
export async function describeSchema(sql: Client, schema = 'public'): Promise<string[]> {
  const { rows } = await sql.query<{ line: string }>(
    `SELECT format('column %s.%s %s %s %s %s', table_name, column_name, data_type, is_nullable, column_default, identity_generation) AS line
     FROM information_schema.columns WHERE table_schema = $1 AND starts_with(table_name, 'payments_')
     UNION
     SELECT format('%s %s: %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE connamespace = quote_ident($1)::regnamespace AND starts_with(conname, 'payments_')
     UNION
     SELECT indexdef FROM pg_indexes WHERE schemaname = $1 AND starts_with(tablename, 'payments_')
     ORDER BY 1`,
    [schema],
  );
  return rows.map(({ line }) => line);
}
