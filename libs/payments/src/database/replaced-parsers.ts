import { isDeepStrictEqual, types } from 'node:util';
import type { Database } from './database.js';

/** What rows are read as: a value of each type as PostgreSQL writes it, and as the driver's own parser returns it. */
const READ_AS: readonly [type: string, oid: number, written: string, read: unknown][] = [
  ['timestamptz', 1184, '1970-01-01T00:00:00.001Z', new Date(1)],
  ['json', 114, '{"a":[1,"b"]}', { a: [1, 'b'] }],
  ['jsonb', 3802, '{"a":[1,"b"]}', { a: [1, 'b'] }],
  ['text', 25, 'a', 'a'],
  ['uuid', 2950, '00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000000'],
  ['int4', 23, '1', 1],
  ['float8', 701, '1.5', 1.5],
  ['bool', 16, 't', true],
];

/** Types whose parser the host has replaced (`pg.types.setTypeParser`), with their number: our rows could not be read. */
export async function replacedParsers(database: Database): Promise<string[]> {
  const [row] = await database.read((from) =>
    from.query<Record<string, unknown>[]>(
      `SELECT ${READ_AS.map(([type, oid, written]) => `'${written}'::${type} AS "${oid}"`).join(', ')}, '1'::int8 AS "20"`,
    ),
  );
  const read = row ?? {};
  const replaced = READ_AS.flatMap(([type, oid, , expected]) =>
    isReadAs(read[oid], expected) ? [] : [`${type} (${oid})`],
  );
  // Many hosts have it as a number, which we read as well.
  return ['1', 1].some((known) => known === read['20']) ? replaced : [...replaced, 'int8 (20)'];
}

/** A time is compared by its value: a test that sets the clock has put a class of its own in the place of Date. */
function isReadAs(read: unknown, expected: unknown): boolean {
  return types.isDate(read) && types.isDate(expected)
    ? read.getTime() === expected.getTime()
    : isDeepStrictEqual(read, expected);
}
