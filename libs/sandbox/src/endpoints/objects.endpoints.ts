import type { Endpoint } from '../api/endpoint.js';
import type { Books, Views } from '../books/books.js';
import { dealView } from '../objects/deals.js';
import { payoutView } from '../objects/payout.js';
import { ownedBy, type Store } from '../stores/store.js';
import type { Operation } from '../wire/operations.js';
import { notFound } from '../wire/service-error.js';

/** Reads the objects of events other than payments and refunds (assumed: no section names a path). */
export function objectEndpoints(
  { payouts, deals, savedMethods }: Pick<Books, 'payouts' | 'deals' | 'savedMethods'>,
  view: Views['savedMethod'],
): Endpoint[] {
  return [
    reading('read_payout', '/v3/payouts/:id', 'Payout', (id, store) =>
      found(ownedBy(store, payouts.find(id)), payoutView),
    ),
    reading('read_deal', '/v3/deals/:id', 'Deal', (id, store) =>
      found(ownedBy(store, deals.find(id)), dealView),
    ),
    reading('read_payment_method', '/v3/payment_methods/:id', 'Payment method', (id, store) =>
      found(ownedBy(store, savedMethods.find(id)), view),
    ),
  ];
}

function reading(
  operation: Operation,
  path: string,
  name: string,
  read: (id: string, store: Store) => unknown,
): Endpoint {
  return {
    operation,
    method: 'get',
    paths: [path],
    handle: ({ id, by }) => {
      const object = read(id ?? '', by.store);
      if (object === undefined) throw notFound(`${name} not found or forbidden`);
      return object;
    },
  };
}

function found<Found>(object: Found | undefined, view: (object: Found) => unknown): unknown {
  return object && view(object);
}
