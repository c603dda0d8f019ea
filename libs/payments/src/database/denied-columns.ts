import { QueryFailedError } from 'typeorm';
import { sqlState } from '../common/sql-state.js';
import { moduleRights } from '../schema/rights.js';

/** insufficient_privilege */
const DENIED = '42501';
const OF_TABLE = /for table (\w+)$/;
const ASSIGNED = /(?:^|,)\s*"?(\w+)"?\s*=/g;

/**
 * PostgreSQL names the table that the role may not change, but no column: adds to its message which ones the statement changes
 * that schema/rights.ts does not list, or that the role was not granted what it lists.
 */
export function explainDenial(refusal: unknown): void {
  if (sqlState(refusal) !== DENIED || !(refusal instanceof QueryFailedError)) return;
  const table = OF_TABLE.exec(refusal.message)?.[1];
  const rights = moduleRights.find((known) => known.table === table);
  if (!rights) return;
  const unlisted = assigned(refusal.query, rights.table).filter((column) => !rights.update?.includes(column));
  refusal.message +=
    unlisted.length > 0
      ? `: schema/rights.ts does not list UPDATE (${unlisted.join(', ')})`
      : ': have the owner of the tables run what paymentsGrants() returns';
}

/** The columns of this table that a statement changes, as far as its text shows them. */
function assigned(sql: string, table: string): string[] {
  const changes = new RegExp(
    String.raw`\b(?:UPDATE|INSERT INTO)\s+(?:"?\w+"?\.)?"?${table}"?\s[\s\S]*?\bSET\s([\s\S]*?)(?=\b(?:FROM|WHERE|RETURNING)\b|$)`,
    'g',
  );
  const lists = [...sql.matchAll(changes)].map(([, list = '']) => list);
  return [...new Set(lists.flatMap((list) => [...list.matchAll(ASSIGNED)].map(([, column = '']) => column)))];
}
