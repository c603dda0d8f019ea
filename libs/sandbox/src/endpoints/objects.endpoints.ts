import type { Endpoint } from '../api/endpoint.js';
import type { Books, Views } from '../books/books.js';
import { dealView } from '../objects/deals.js';
import { payoutView } from '../objects/payout.js';
import { reading } from './reading.js';

/** Reads the objects of events other than payments and refunds (assumed: no section names a path). */
export function objectEndpoints(
  { payouts, deals, savedMethods }: Pick<Books, 'payouts' | 'deals' | 'savedMethods'>,
  view: Views['savedMethod'],
): Endpoint[] {
  return [
    reading('read_payout', '/v3/payouts/:id', 'Payout', payouts, payoutView),
    reading('read_deal', '/v3/deals/:id', 'Deal', deals, dealView),
    reading('read_payment_method', '/v3/payment_methods/:id', 'Payment method', savedMethods, view),
  ];
}
