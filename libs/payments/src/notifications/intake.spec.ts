import { lastOf, repeatsOf, type Arrival } from './intake.js';

const arrival = (fields: Partial<Arrival> = {}): Arrival => ({
  storeId: 'store-1',
  event: 'payment.succeeded',
  objectType: 'payment',
  objectId: 'payment-1',
  ofPayment: null,
  body: '{}',
  senderAddress: '185.71.76.1',
  traceparent: null,
  ...fields,
});

describe('notifications that wait to be stored', () => {
  it('are one row for each store, object and event, whatever else they contain', () => {
    const first = arrival({ body: 'first', senderAddress: '185.71.76.1' });
    const others = [
      arrival({ storeId: 'store-2' }),
      arrival({ objectId: 'payment-2' }),
      arrival({ event: 'payment.canceled' }),
    ];
    const again = arrival({ body: 'again', senderAddress: '185.71.77.1' });
    expect(repeatsOf([first, ...others, again])).toEqual([[first, again], ...others.map((other) => [other])]);
  });

  it('are distinct even if their parts join to the same text', () => {
    const one = arrival({ objectId: 'a', event: 'b.c' });
    const other = arrival({ objectId: 'a","b', event: 'c' });
    expect(repeatsOf([one, other])).toHaveLength(2);
  });

  it('leave the content of the last of them', () => {
    const [repeats] = repeatsOf([arrival({ body: 'first' }), arrival({ body: 'last' })]);
    if (!repeats) throw new Error('There is no row.');
    expect(lastOf(repeats)).toMatchObject({ body: 'last' });
  });

  it('are no rows if none have arrived', () => {
    expect(repeatsOf([])).toEqual([]);
  });
});
