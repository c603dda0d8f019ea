import { parseServicePayment } from '../api/service-payment.js';
import { yookassaProfile } from '../api/yookassa-profile.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { changeOf } from './change-of.js';

const HOUR_MS = 3_600_000;
const createdAt = new Date('2030-01-01T00:00:00.000Z');
const after = (hours: number) => new Date(createdAt.getTime() + hours * HOUR_MS);

const payment = (fields: Partial<PaymentsPaymentEntity> = {}): PaymentsPaymentEntity => ({
  id: 'payment-1',
  storeId: 'store-1',
  orderId: 'order-1',
  serviceId: 'service-1',
  status: 'pending',
  currency: 'RUB',
  amountMinor: 500_000,
  authorizedMinor: 0,
  capturedMinor: 0,
  refundedMinor: 0,
  refundReservedMinor: 0,
  capture: false,
  method: null,
  paymentMethodId: null,
  cardData: false,
  savePaymentMethod: false,
  description: null,
  metadata: {},
  part: '',
  tryNumber: 1,
  intentKey: 'intent-1',
  supersededAt: null,
  confirmation: { type: 'redirect', url: 'https://service.example/' },
  test: null,
  holdExpiresAt: null,
  holdPolicy: null,
  holdDueAt: null,
  holdTries: 0,
  keepsDue: false,
  cancellation: null,
  cardLast4: null,
  receiptStatus: null,
  receiptsAfter: false,
  receiptDigest: null,
  prepaidMinor: 0,
  unsettledMinor: 0,
  unsettledSince: null,
  unsettledDueAt: null,
  object: null,
  traceparent: null,
  createdAt,
  updatedAt: createdAt,
  ...fields,
});

const read = (fields: object) =>
  parseServicePayment({
    id: 'service-1',
    status: 'waiting_for_capture',
    amount: { value: '5000.00', currency: 'RUB' },
    ...fields,
  });

function changed(fields: Partial<PaymentsPaymentEntity>, said: object, foundAfterHours = 1) {
  const object = read(said);
  if (!object) throw new Error('It is a payment.');
  const { status } = object;
  if (status !== 'waiting_for_capture' && status !== 'succeeded') throw new Error('It is paid.');
  const terms = {
    now: after(foundAfterHours),
    holdLeadTimeMs: 24 * HOUR_MS,
    unsettledAfterMs: 48 * HOUR_MS,
    profile: yookassaProfile,
  };
  return changeOf(payment(fields), object, { status, ...terms });
}

describe('a hold that is found', () => {
  const by = (type: string) => ({ payment_method: { type } });

  it.each<[string, Partial<PaymentsPaymentEntity>, object, number]>([
    ['has a quarter of its time left', {}, { ...by('cash'), expires_at: after(5).toISOString() }, 4],
    ['without an end has that of its method', {}, by('cash'), 1 + 5 * 0.75],
    ['without an end has that of the method requested', { method: 'sber_loan' }, {}, 1 + 0.75],
    ['without an end, of a method chosen in place of it', { method: 'bank_card' }, by('cash'), 1 + 5 * 0.75],
    ['without an end, of an unknown method, is at once', {}, by('hologram'), 1],
    ['without an end, of a method that nobody knows, is at once', {}, {}, 1],
  ])('is due %s', (_name, fields, said, hours) => {
    expect(changed(fields, said).holdDueAt).toEqual(after(hours));
  });

  it.each([
    ['further ahead than any hold lasts', after(32 * 24).toISOString()],
    ['beyond what PostgreSQL stores', '+275760-09-13T00:00:00.000Z'],
    ['before what PostgreSQL stores', '-271821-04-20T00:00:00.000Z'],
  ])('has the end of its method where the service names one %s', (_name, expires_at) => {
    const change = changed({}, { ...by('cash'), expires_at });
    expect(change).toMatchObject({ holdExpiresAt: null, holdDueAt: after(1 + 5 * 0.75) });
    // What was believed before stays.
    expect(changed({ holdExpiresAt: after(5) }, { ...by('cash'), expires_at }).holdExpiresAt).toEqual(
      after(5),
    );
  });

  it.each<[string, Partial<PaymentsPaymentEntity>, number]>([
    ['as planned', { holdDueAt: after(80) }, 80],
    ['at its next try', { holdDueAt: after(95) }, 95],
    ["not before the service's end allows, whatever its row says", { holdDueAt: after(-1) }, 76],
    ['when it was superseded', { holdDueAt: after(3), supersededAt: after(3) }, 3],
  ])('before is due %s', (_name, fields, hours) => {
    const held = { status: 'waiting_for_capture', holdExpiresAt: after(100) } as const;
    expect(changed({ ...held, ...fields }, { expires_at: after(100).toISOString() }).holdDueAt).toEqual(
      after(hours),
    );
  });

  it('is due at once where it may be over', () => {
    expect(changed({}, by('sber_loan'), 3).holdDueAt).toEqual(after(3));
  });
});

describe('what is paid', () => {
  const lowered = {
    amount: { value: '4850.00', currency: 'RUB' },
    payment_method: { type: 'sber_loan', discount_amount: { value: '150.00', currency: 'RUB' } },
  };
  const succeeded = { status: 'succeeded' };
  const part = { amount: { value: '3000.00', currency: 'RUB' } };

  it.each<[string, Partial<PaymentsPaymentEntity>, object, number, number]>([
    ['is what was held', {}, {}, 500_000, 0],
    ['is what was held after a discount', {}, lowered, 485_000, 0],
    ['is all', { capture: true }, succeeded, 500_000, 500_000],
    ['is all after a discount', { capture: true }, { ...lowered, ...succeeded }, 485_000, 485_000],
    ['is captured in part', { authorizedMinor: 500_000 }, { ...succeeded, ...part }, 500_000, 300_000],
    ['is captured in part, never seen held', {}, { ...succeeded, ...part }, 500_000, 300_000],
    [
      'is captured in part after a discount, never seen held',
      {},
      { ...lowered, ...succeeded, ...part },
      485_000,
      300_000,
    ],
  ])('%s', (_name, fields, said, authorizedMinor, capturedMinor) => {
    expect(changed(fields, said)).toMatchObject({ authorizedMinor, capturedMinor });
  });

  it('has nothing more to confirm', () => {
    expect(changed({}, {}).confirmation).toBeNull();
  });
});

describe('a prepayment that is paid', () => {
  const paid = { status: 'succeeded' };

  it('is to be settled from then on, and its host is told after the term', () => {
    expect(changed({ capture: true, prepaidMinor: 300_000 }, paid, 2)).toMatchObject({
      unsettledMinor: 300_000,
      unsettledSince: after(2),
      unsettledDueAt: after(50),
    });
  });

  it('is not, where nothing was prepaid; and is never begun anew', () => {
    expect(changed({ capture: true }, paid)).not.toHaveProperty('unsettledSince');
    const known = { status: 'succeeded', prepaidMinor: 300_000, capturedMinor: 500_000 } as const;
    expect(changed(known, paid)).not.toHaveProperty('unsettledSince');
  });
});
