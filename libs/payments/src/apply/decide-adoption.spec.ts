import {
  earlier,
  NOW,
  objectOf,
  operationRow,
  ordered,
  paymentRow,
  SERVICE_ID,
  told,
} from '../../../../test/support/state.js';
import type { OrderPayments } from '../payment/state.js';
import { decideAdoption, type FoundPayment } from './decide-adoption.js';

const found = (fields: Partial<FoundPayment> = {}): FoundPayment => ({
  object: objectOf(),
  marked: {
    orderReference: 'order-1',
    part: '',
    tryNumber: 2,
    amountMinor: 10_000,
    totalDueMinor: 10_000,
    capture: true,
    cardData: false,
    savePaymentMethod: false,
    receiptsAfter: false,
    method: null,
    paymentMethodId: null,
    receiptDigest: null,
    prepaidMinor: 0,
    holdPolicy: null,
  },
  words: { description: 'Tea', metadata: { cart: '7' } },
  rows: [],
  ...fields,
});
const named = {
  id: 'row',
  storeId: 'store',
  status: 'pending',
  serviceId: SERVICE_ID,
  isKeyReused: false,
} as const;

function adopted(state: OrderPayments, payment: FoundPayment) {
  const decision = decideAdoption(state, payment);
  if (decision.kind !== 'adopted') throw new Error(decision.kind);
  return decision;
}

describe('a payment that is found at the service', () => {
  it.each([
    ['has a row', named],
    ['has one under another id of the service', { ...named, serviceId: 'other' }],
    ['is looked up by its create', { ...named, status: 'submitting', serviceId: null } as const],
  ])('is left alone where it %s by now', (_why, row) => {
    expect(decideAdoption(ordered([]), found({ rows: [row] }))).toEqual({ kind: 'known' });
  });

  it('is recorded beside one whose key was used for it', () => {
    const row = { ...named, status: 'rejected', serviceId: null, isKeyReused: true } as const;
    expect(decideAdoption(ordered([]), found({ rows: [row] })).kind).toBe('adopted');
  });

  it('gets no row in another currency than its order', () => {
    const object = objectOf({ currency: 'USD' });
    expect(decideAdoption(ordered([]), found({ object }))).toEqual({ kind: 'other currency' });
  });

  it.each([
    ['another one', 'ivan', 'earlier buyer'],
    ['the same one', 'anna', 'adopted'],
    ['nobody', null, 'adopted'],
  ])('of a buyer is told at the payment of a later one: it names %s', (_whom, buyer, kind) => {
    const later = paymentRow({
      id: 'later',
      status: 'submitting',
      serviceId: null,
      createdAt: NOW,
      tryNumber: 3,
    });
    const create = operationRow({ paymentId: 'later', body: '{"merchant_customer_id":"anna"}' });
    const object = objectOf({ kept: { id: SERVICE_ID, ...(buyer && { merchant_customer_id: buyer }) } });
    const state = ordered([later], { creates: [create] });
    expect(decideAdoption(state, found({ object }))).toMatchObject({
      kind,
      ...(kind === 'earlier buyer' && { later: { id: 'later' } }),
    });
  });
});

describe('one that was forgotten', () => {
  it('is recorded as its mark and the service say, and re-read at once', () => {
    const { payment, change } = adopted(ordered([]), found());
    expect(payment).toMatchObject({
      status: 'pending',
      serviceId: SERVICE_ID,
      tryNumber: 2,
      description: 'Tea',
      metadata: { cart: '7' },
      createdAt: objectOf().createdAt,
      updatedAt: NOW,
    });
    expect(change).toMatchObject({ opened: { payment, order: null }, wanted: { at: NOW, isUrgent: true } });
    expect(change.rows?.operations?.opened).toMatchObject([
      { kind: 'create', outcome: 'confirmed', resendable: false },
    ]);
    expect(told(change)).toEqual(['payment.pending']);
  });

  it('is no younger than its row, whatever the clock of the service says', () => {
    const object = objectOf({ createdAt: new Date(NOW.getTime() + 60_000) });
    expect(adopted(ordered([]), found({ object })).payment.createdAt).toEqual(NOW);
  });

  it('is watched as one that was replaced, beside a newer one that is open', () => {
    const newer = paymentRow({ id: 'newer', tryNumber: 3 });
    const { payment, replaces, change } = adopted(ordered([newer]), found());
    expect(payment.supersededAt).toEqual(NOW);
    expect(replaces).toEqual([]);
    expect(told(change)).toEqual(['payment.pending', 'payment.superseded']);
  });

  it('takes the place of an older one that is open', () => {
    const older = paymentRow({ id: 'older', tryNumber: 1 });
    const { payment, replaces } = adopted(ordered([older]), found());
    expect([payment.supersededAt, replaces]).toEqual([null, [older]]);
  });

  it.each([
    ['the newest', 1, 15_000],
    ['an older', 3, undefined],
  ])('brings its total only as %s try', (_which, tryNumber, totalDueMinor) => {
    const other = paymentRow({ id: 'other', status: 'canceled', tryNumber, createdAt: earlier(7_200_000) });
    const marked = { ...found().marked, totalDueMinor: 15_000 };
    const { change } = adopted(ordered([other]), found({ marked }));
    expect(change.totals?.totalDueMinor).toBe(totalDueMinor);
  });
});
