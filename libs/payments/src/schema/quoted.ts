import type { DataSource } from 'typeorm';

/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `"billing".` if the data source names a schema, else nothing: the connection's search path decides. */
export function schemaPrefix(dataSource: DataSource): string {
  const schema = 'schema' in dataSource.options ? dataSource.options.schema : undefined;
  return typeof schema === 'string' ? `${quoted(schema)}.` : '';
}
