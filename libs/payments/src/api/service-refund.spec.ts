import { parseServiceRefund } from './service-refund.js';

const required = {
  id: 'r-1',
  payment_id: 'p-1',
  status: 'succeeded',
  amount: { value: '40.00', currency: 'RUB' },
};

describe('a refund object', () => {
  it('is read in full', () => {
    const body = {
      ...required,
      status: 'canceled',
      created_at: '2030-01-01T12:00:00.123Z',
      description: 'Torn',
      cancellation_details: { party: 'payment_network', reason: 'general_decline' },
      metadata: { holdfast_refund: 'ours' },
      refund_authorization_details: { rrn: '1' },
      receipt_registration: 'canceled',
    };
    expect(parseServiceRefund(body)).toEqual({
      id: 'r-1',
      paymentId: 'p-1',
      status: 'canceled',
      amountMinor: 4_000,
      currency: 'RUB',
      createdAt: new Date('2030-01-01T12:00:00.123Z'),
      cancellation: { party: 'payment_network', reason: 'general_decline' },
      description: 'Torn',
      receiptStatus: 'canceled',
      metadata: { holdfast_refund: 'ours' },
      kept: body,
    });
  });

  it('needs no more than id, payment, status and amount', () => {
    expect(parseServiceRefund(required)).toEqual({
      id: 'r-1',
      paymentId: 'p-1',
      status: 'succeeded',
      amountMinor: 4_000,
      currency: 'RUB',
      createdAt: null,
      cancellation: null,
      receiptStatus: null,
      description: null,
      metadata: {},
      kept: required,
    });
  });

  it('may have unknown statuses, reasons and fields; such fields are not kept', () => {
    const body = { ...required, status: 'on_its_way', cancellation_details: {}, sources: [1] };
    expect(parseServiceRefund(body)).toMatchObject({
      status: 'on_its_way',
      cancellation: { party: 'unknown', reason: 'unknown' },
      kept: expect.not.objectContaining({ sources: [1] }),
    });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['without an id', { ...required, id: undefined }],
    ['with an empty payment', { ...required, payment_id: '' }],
    ['without a payment', { ...required, payment_id: undefined }],
    ['without a status', { ...required, status: undefined }],
    ['without an amount', { ...required, amount: undefined }],
    ['with a number for an amount', { ...required, amount: { value: 40, currency: 'RUB' } }],
  ])('is not made from: %s', (_name, body) => {
    expect(parseServiceRefund(body)).toBeNull();
  });
});
