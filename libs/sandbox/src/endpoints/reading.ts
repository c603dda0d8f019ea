import type { Endpoint } from '../api/endpoint.js';
import type { Book } from '../stores/book.js';
import type { Store } from '../stores/store.js';
import type { Operation } from '../wire/operations.js';
import { notFound } from '../wire/service-error.js';

/** Before the body is checked: whatever its payment_id is. */
export function namedPayment(body: unknown): string | null {
  const named = typeof body === 'object' && body !== null && 'payment_id' in body;
  return named && typeof body.payment_id === 'string' ? body.payment_id : null;
}

/** What to do where an application's database has outlived the sandbox that it was filled by; the service does not say this. */
export const ofAnEarlierRun =
  'If an earlier run of this sandbox knew it: start it with a state file (--state-file, stateFile), which keeps what it knows ' +
  'for the next run, or with another shop id, which is a store that your database has nothing of';

/** Throws 404 for a missing object, and for one of another store, which is treated as missing. */
export function found<Found>(object: Found | undefined, name: string, parameter?: string): Found {
  if (object === undefined) throw notFound(`${name} not found or forbidden. ${ofAnEarlierRun}`, parameter);
  return object;
}

/** Reads one object; `name`: what it is called if it is missing. */
export function reading<Kind extends { readonly id: string; readonly store: Store }>(
  operation: Operation,
  path: string,
  name: string,
  book: Book<Kind>,
  view: (object: Kind) => unknown,
): Endpoint {
  return {
    operation,
    method: 'get',
    paths: [path],
    handle: ({ id, by }) => view(found(book.find(id ?? '', by.store), name)),
  };
}
