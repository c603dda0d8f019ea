import { quoted } from './quoted.js';
import { moduleRights, retentionRights, type TableRights } from './rights.js';

/**
 * SQL that grants roles what the module needs of its tables, revokes whatever else they had there, and may be run any number of
 * times: after every migration, by the owner of the tables. One string, so that one `query` runs it as one transaction.
 * @param role the one the module's data source logs in with
 * @param retentionRole the one that {@link runRetention} runs under; the same as `role`: retention stays with the module
 * @param schema where the tables are. Default `public`
 */
export function paymentsGrants({
  role,
  retentionRole,
  schema = 'public',
}: {
  readonly role: string;
  readonly retentionRole?: string;
  readonly schema?: string;
}): string {
  const sets: [role: string, rights: readonly TableRights[]][] = [[role, moduleRights]];
  if (retentionRole !== undefined) sets.push([retentionRole, retentionRights]);
  const tables = moduleRights.map(({ table }) => `${quoted(schema)}.${quoted(table)}`).join(', ');
  const names = [...new Set(sets.map(([name]) => quoted(name)))].join(', ');
  return [
    `GRANT USAGE ON SCHEMA ${quoted(schema)} TO ${names};`,
    `REVOKE ALL ON ${tables} FROM ${names};`,
    ...sets.flatMap(([name, rights]) => rights.map((of) => grant(of, schema, name))),
  ].join('\n');
}

/** The statement that grants a role these rights to one table. */
export function grant(
  { table, all = [], select = [], update = [] }: TableRights,
  schema: string,
  role: string,
): string {
  const some = Object.entries({ SELECT: select, UPDATE: update }).flatMap(([privilege, columns]) =>
    columns.length > 0 ? [`${privilege} (${columns.map(quoted).join(', ')})`] : [],
  );
  return `GRANT ${[...all, ...some].join(', ')} ON ${quoted(schema)}.${quoted(table)} TO ${quoted(role)};`;
}
