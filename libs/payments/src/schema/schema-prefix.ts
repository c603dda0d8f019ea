import type { DataSource } from 'typeorm';
import { quoted } from './quoted.js';

/** `"billing".` where the data source names a schema, else nothing: the connection's search path decides. */
export function schemaPrefix(dataSource: DataSource): string {
  const schema = 'schema' in dataSource.options ? dataSource.options.schema : undefined;
  return typeof schema === 'string' ? `${quoted(schema)}.` : '';
}
