import type { Endpoint, Operation } from '../api/endpoint.js';
import { notFound } from '../api/service-error.js';
import { ownedBy, type Store } from '../store/store.js';
import type { ObjectBooks, ObjectViews } from './object-control.js';

/** Reads the objects of events other than payments and refunds (assumed: no section names a path). */
export function objectEndpoints(
  { payouts, deals, savedMethods }: ObjectBooks,
  views: ObjectViews,
): Endpoint[] {
  return [
    reading('read_payout', '/v3/payouts/:id', 'Payout', (id, store) =>
      found(ownedBy(store, payouts.find(id)), views.payout),
    ),
    reading('read_deal', '/v3/deals/:id', 'Deal', (id, store) =>
      found(ownedBy(store, deals.find(id)), views.deal),
    ),
    reading('read_payment_method', '/v3/payment_methods/:id', 'Payment method', (id, store) =>
      found(ownedBy(store, savedMethods.find(id)), views.savedMethod),
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
