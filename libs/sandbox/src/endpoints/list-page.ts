import { knownName } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';

export type Query = Readonly<Record<string, unknown>>;
export type Test<Item> = (item: Item) => boolean;

interface Listed {
  /** 1 for the first of its kind: the order of the list and its cursor. */
  readonly sequence: number;
}

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  gte: (left, right) => left >= right,
  gt: (left, right) => left > right,
  lte: (left, right) => left <= right,
  lt: (left, right) => left < right,
};

/** Answers a list query (assumed) with the page it asks for, newest first; `tests` are its filters. */
export function listPage<Item extends Listed>(
  newestFirst: readonly Item[],
  query: Query,
  tests: readonly Test<Item>[],
  view: (item: Item) => unknown,
): unknown {
  const limit = parseLimit(query['limit']);
  const beyondCursor = parseCursor(query['cursor']);
  const matching = newestFirst.filter((item) => beyondCursor(item) && tests.every((test) => test(item)));
  const items = matching.slice(0, limit);
  const last = items.at(-1);
  return {
    type: 'list',
    items: items.map(view),
    ...(last && matching.length > limit && { next_cursor: cursorAfter(last) }),
  };
}

/** The filter that wants one value, if the query has it. */
export function equals<Item, Value extends string>(
  query: Query,
  parameter: string,
  known: readonly Value[],
  valueOf: (item: Item) => Value,
): Test<Item>[] {
  if (query[parameter] === undefined) return [];
  const wanted = knownName(query[parameter], known, parameter);
  return [(item) => valueOf(item) === wanted];
}

/** The filters `<field>.gte`, `.gt`, `.lte` and `.lt`, as far as the query has them. */
export function timeBounds<Item>(
  query: Query,
  field: string,
  timeOf: (item: Item) => Date | null,
): Test<Item>[] {
  return Object.entries(comparisons).flatMap(([name, holds]) => {
    const parameter = `${field}.${name}`;
    const bound = query[parameter];
    if (bound === undefined) return [];
    const boundMs = typeof bound === 'string' ? Date.parse(bound) : NaN;
    if (Number.isNaN(boundMs)) throw invalidRequest('Needs an ISO 8601 time', parameter);
    return (item: Item) => {
      const time = timeOf(item);
      return time !== null && holds(time.getTime(), boundMs);
    };
  });
}

function parseLimit(limit: unknown): number {
  if (limit === undefined) return 10;
  const count = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > 100) throw invalidRequest('Needs a whole number from 1 to 100', 'limit');
  return count;
}

function cursorAfter({ sequence }: Listed): string {
  return Buffer.from(String(sequence)).toString('base64url');
}

function parseCursor(cursor: unknown): Test<Listed> {
  if (cursor === undefined) return () => true;
  const sequence = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  if (!/^\d+$/.test(sequence)) throw invalidRequest('Needs the next_cursor of a previous answer', 'cursor');
  return (item) => item.sequence < Number(sequence);
}
