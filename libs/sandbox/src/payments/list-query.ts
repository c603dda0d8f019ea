import { invalidRequest } from '../api/service-error.js';
import { methodTypeFromWire } from '../wire-names.js';
import type { Payment, PaymentStatus } from './payment.js';

const statuses: readonly PaymentStatus[] = ['pending', 'waiting_for_capture', 'succeeded', 'canceled'];

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  gte: (left, right) => left >= right,
  gt: (left, right) => left > right,
  lte: (left, right) => left <= right,
  lt: (left, right) => left < right,
};

type Query = Readonly<Record<string, unknown>>;
type Test = (payment: Payment) => boolean;

export interface Page {
  readonly items: readonly Payment[];
  readonly nextCursor: string | null;
}

/** The page of the newest-first list that a query asks for. */
export function selectPage(newestFirst: readonly Payment[], query: Query): Page {
  const limit = parseLimit(query['limit']);
  const tests = [
    parseCursor(query['cursor']),
    parseStatus(query['status']),
    parseMethod(query['payment_method']),
    ...parseTimes(query, 'created_at', ({ createdAt }) => createdAt),
    ...parseTimes(query, 'captured_at', ({ capturedAt }) => capturedAt),
  ];
  const matching = newestFirst.filter((payment) => tests.every((test) => test(payment)));
  const items = matching.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: last && matching.length > limit ? cursorAfter(last) : null };
}

function parseLimit(limit: unknown): number {
  if (limit === undefined) return 10;
  const count = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > 100) throw invalidRequest('Needs a whole number from 1 to 100', 'limit');
  return count;
}

function cursorAfter({ sequence }: Payment): string {
  return Buffer.from(String(sequence)).toString('base64url');
}

function parseCursor(cursor: unknown): Test {
  if (cursor === undefined) return () => true;
  const sequence = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  if (!/^\d+$/.test(sequence)) throw invalidRequest('Needs the next_cursor of a previous answer', 'cursor');
  return (payment) => payment.sequence < Number(sequence);
}

function parseStatus(status: unknown): Test {
  if (status === undefined) return () => true;
  if (!statuses.some((known) => known === status)) {
    throw invalidRequest(`Needs one of ${statuses.join(', ')}`, 'status');
  }
  return (payment) => payment.status === status;
}

function parseMethod(name: unknown): Test {
  if (name === undefined) return () => true;
  const type = methodTypeFromWire(name);
  if (!type) throw invalidRequest('Unknown payment method', 'payment_method');
  return (payment) => payment.method?.type === type;
}

function parseTimes(query: Query, field: string, timeOf: (payment: Payment) => Date | null): Test[] {
  return Object.entries(comparisons).flatMap(([name, holds]) => {
    const parameter = `${field}.${name}`;
    const text = query[parameter];
    if (text === undefined) return [];
    const bound = typeof text === 'string' ? Date.parse(text) : NaN;
    if (Number.isNaN(bound)) throw invalidRequest('Needs an ISO 8601 time', parameter);
    return (payment: Payment) => {
      const time = timeOf(payment);
      return time !== null && holds(time.getTime(), bound);
    };
  });
}
