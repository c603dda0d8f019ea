import { grant } from '../schema/grants.js';
import type { TableRights } from '../schema/rights.js';
import type { Database } from './database.js';

/** The statements that would grant the database's role the missing ones of these rights. The tables must exist. */
export async function missingRights(
  database: Database,
  rights: readonly TableRights[],
): Promise<readonly string[]> {
  const wanted = rights.flatMap(({ table, all = [], select = [], update = [] }) => [
    ...all.map((privilege) => ({ table, privilege, column: null })),
    ...select.map((column) => ({ table, privilege: 'SELECT', column })),
    ...update.map((column) => ({ table, privilege: 'UPDATE', column })),
  ]);
  const [answer] = await database.read((from) =>
    from.query<{ role: string; schema: string; missing: string[] }[]>(
      `WITH place AS (SELECT COALESCE($1, current_schema()) AS schema)
     SELECT current_user AS role, schema, ARRAY(
       SELECT concat_ws(' ', wanted.name, privilege, part)
       FROM unnest($2::text[], $3::text[], $4::text[]) AS wanted (name, privilege, part)
       JOIN pg_class ON relname = wanted.name AND relnamespace = to_regnamespace(quote_ident(schema))
       WHERE NOT CASE WHEN part IS NULL THEN has_table_privilege(pg_class.oid, privilege)
         ELSE has_column_privilege(pg_class.oid, part, privilege) END
     ) AS missing
     FROM place`,
      [
        database.schema,
        wanted.map(({ table }) => table),
        wanted.map(({ privilege }) => privilege),
        wanted.map(({ column }) => column),
      ],
    ),
  );
  if (!answer) throw new Error('PostgreSQL did not return the rights.');
  const missing = new Set(answer.missing);
  return rights.flatMap(({ table, all = [], select = [], update = [] }) => {
    const lacking = {
      table,
      all: all.filter((privilege) => missing.has(`${table} ${privilege}`)),
      select: select.filter((column) => missing.has(`${table} SELECT ${column}`)),
      update: update.filter((column) => missing.has(`${table} UPDATE ${column}`)),
    };
    const { length } = [...lacking.all, ...lacking.select, ...lacking.update];
    return length === 0 ? [] : [grant(lacking, answer.schema, answer.role)];
  });
}
