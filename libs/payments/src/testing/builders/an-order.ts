import { randomUUID } from 'node:crypto';
import type { Amount } from '../../common/money.js';
import type { Order } from '../../views/payment.view.js';
import { CURRENCY } from './moments.js';

const NOTHING: Amount = { value: '0.00', currency: CURRENCY };
const TOTAL: Amount = { value: '100.00', currency: CURRENCY };
const MORE: Amount = { value: '200.00', currency: CURRENCY };

/** What is paid, held and refunded of an order of 100.00 in each of its states. */
const sumsByState: { readonly [State in Order['state']]: Pick<Order, 'paid' | 'held' | 'refunded'> } = {
  unpaid: { paid: NOTHING, held: NOTHING, refunded: NOTHING },
  authorized: { paid: NOTHING, held: TOTAL, refunded: NOTHING },
  paid: { paid: TOTAL, held: NOTHING, refunded: NOTHING },
  partially_refunded: { paid: TOTAL, held: NOTHING, refunded: { value: '40.00', currency: CURRENCY } },
  refunded: { paid: TOTAL, held: NOTHING, refunded: TOTAL },
  overpaid: { paid: MORE, held: NOTHING, refunded: NOTHING },
};

/**
 * An order of 100.00 roubles, `paid`, unless `fields` say otherwise; its sums follow from its state.
 * @example const order = anOrder({ reference: 'A-1042', state: 'refunded' });
 */
export function anOrder(fields: Partial<Order> = {}): Order {
  const { state = 'paid' } = fields;
  const order: Order = {
    store: randomUUID(),
    reference: `order-${randomUUID()}`,
    state,
    totalDue: TOTAL,
    waived: NOTHING,
    ...sumsByState[state],
  };
  return { ...order, ...fields };
}
