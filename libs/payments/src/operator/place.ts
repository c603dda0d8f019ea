import { isTimestamp } from '../common/text.js';
import { isUuid } from '../common/uuid.js';

/** Where a page of rows ends: the time and the id of its last. */
export type Place = readonly [at: string, id: string];

/** Of a cursor, `<time> <id>`; null: it is none. */
export function placeOf(cursor: unknown): Place | null {
  const [at = '', id = '', ...more] = typeof cursor === 'string' ? cursor.split(' ') : [];
  return isTimestamp(at) && isUuid(id) && more.length === 0 ? [at, id] : null;
}

/** SQL of a row's place, as a cursor has it. */
export function placeSql(at: string, id: string): string {
  return `${timeSql(at)} || ' ' || ${id}`;
}

/** SQL of a time as text, with all its microseconds, which a Date does not have. */
export function timeSql(at: string): string {
  return `(to_json(${at}) #>> '{}')`;
}
