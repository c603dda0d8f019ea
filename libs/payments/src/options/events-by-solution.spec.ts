import { eventNames } from '../views/events.js';
import {
  eventsBySolution,
  isAvailable,
  solutions,
  solutionsWith,
  type ServiceEventName,
} from './events-by-solution.js';

const columns = ['web_payments', 'payouts', 'payment_splitting', 'partnership', 'secure_deal'] as const;
/** The service's events by solution, in the columns of the interface. */
const table: [event: ServiceEventName, cells: string][] = [
  ['payment.waiting_for_capture', 'yes no yes yes yes'],
  ['payment.succeeded', 'yes no yes yes yes'],
  ['payment.canceled', 'yes no yes yes yes'],
  ['refund.succeeded', 'yes no yes yes yes'],
  ['payout.succeeded', 'no yes no no yes'],
  ['payout.canceled', 'no yes no no yes'],
  ['deal.closed', 'no no no no yes'],
  ['payment_method.active', 'yes yes yes yes yes'],
];
const cells = table.flatMap(([event, row]) =>
  row.split(' ').flatMap((cell, column) => {
    const solution = columns[column];
    return solution === undefined ? [] : [{ event, solution, cell }];
  }),
);

describe('the events of the service', () => {
  it('are eight, for five solutions', () => {
    expect(cells).toHaveLength(40);
    expect(columns.toSorted()).toEqual(solutions.toSorted());
    const named = new Set<string>(Object.values(eventsBySolution).flat());
    expect([...named].toSorted()).toEqual(table.map(([event]) => event).toSorted());
  });

  it.each(cells)('$event with $solution: $cell', ({ event, solution, cell }) => {
    expect(isAvailable(event, solution)).toBe(cell === 'yes');
    expect(solutionsWith(event).includes(solution)).toBe(cell === 'yes');
  });
});

describe('our own events', () => {
  const own = [
    'payment.pending',
    'payment.rejected',
    'payment.anomaly',
    'order.paid',
    'order.unpaid',
    'order.refunded',
    'order.overpaid',
    'hold.expiring',
    'hold.expired',
    'refund.canceled',
    'refund.rejected',
    'receipt.succeeded',
    'receipt.failed',
    'receipt.late',
    'receipt.unsettled',
    'store.connected',
    'store.needs_reconnect',
    'store.disconnected',
    'store.token_expiring',
    'database.rolled_back',
  ] as const;

  it('are all that the table does not name', () => {
    const known = [...own, ...table.map(([event]) => event)];
    expect(eventNames.toSorted()).toEqual(known.toSorted());
  });

  it.each(own)('%s comes with every solution that accepts payments', (event) => {
    expect(solutionsWith(event)).toEqual(columns.filter((solution) => solution !== 'payouts'));
  });
});
