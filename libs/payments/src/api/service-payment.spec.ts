import * as fc from 'fast-check';
import { parseServicePayment } from './service-payment.js';

const required = { id: 'service-1', status: 'pending', amount: { value: '1234.50', currency: 'RUB' } };

describe('a payment object', () => {
  it('is read in full', () => {
    const body = {
      ...required,
      status: 'waiting_for_capture',
      paid: true,
      income_amount: { value: '1191.29', currency: 'RUB' },
      refunded_amount: { value: '0.10', currency: 'RUB' },
      confirmation: {
        type: 'redirect',
        return_url: 'https://shop.example/back',
        confirmation_url: 'https://service.example/pay',
      },
      created_at: '2026-01-01T12:00:00.123Z',
      captured_at: '2026-01-01T12:01:00.000Z',
      expires_at: '2026-01-08T12:00:00.456Z',
      metadata: { basket: '7' },
      recipient: { account_id: 'test_shop', gateway_id: '1' },
      cancellation_details: { party: 'merchant', reason: 'canceled_by_merchant' },
      payment_method: { type: 'bank_card', card: { first6: '555555', last4: '4477' } },
      receipt_registration: 'pending',
      test: true,
    };
    expect(parseServicePayment(body)).toEqual({
      id: 'service-1',
      status: 'waiting_for_capture',
      amountMinor: 123_450,
      currency: 'RUB',
      refundedMinor: 10,
      accountId: 'test_shop',
      test: true,
      confirmation: { type: 'redirect', url: 'https://service.example/pay' },
      expiresAt: new Date('2026-01-08T12:00:00.456Z'),
      createdAt: new Date('2026-01-01T12:00:00.123Z'),
      cancellation: { party: 'merchant', reason: 'canceled_by_merchant' },
      cardLast4: '4477',
      receiptStatus: 'pending',
      method: 'bank_card',
      discountMinor: null,
      metadata: { basket: '7' },
      kept: body,
    });
  });

  it('needs no more than id, status and amount', () => {
    expect(parseServicePayment(required)).toEqual({
      id: 'service-1',
      status: 'pending',
      amountMinor: 123_450,
      currency: 'RUB',
      refundedMinor: 0,
      accountId: null,
      test: null,
      confirmation: null,
      expiresAt: null,
      createdAt: null,
      cancellation: null,
      cardLast4: null,
      receiptStatus: null,
      method: null,
      discountMinor: null,
      metadata: {},
      kept: required,
    });
  });

  it('may have unknown fields and values: the values are kept', () => {
    const body = {
      ...required,
      status: 'some_new_status',
      amount: { value: '1.00', currency: 'XTS', rounding: 'none' },
      payment_method: { type: 'some_new_method', card: { card_type: 'New' } },
      some_new_field: [1, { deep: null }],
    };
    expect(parseServicePayment(body)).toMatchObject({
      status: 'some_new_status',
      currency: 'XTS',
      kept: {
        ...required,
        status: 'some_new_status',
        amount: { value: '1.00', currency: 'XTS' },
        payment_method: { type: 'some_new_method', card: { card_type: 'New' } },
      },
    });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'payment'],
    ['a number', 5],
    ['a list', [required]],
    ['an empty object', {}],
    ['no id', { ...required, id: undefined }],
    ['an empty id', { ...required, id: '' }],
    ['an id that is a number', { ...required, id: 5 }],
    ['no status', { ...required, status: undefined }],
    ['a status that is null', { ...required, status: null }],
    ['no amount', { ...required, amount: undefined }],
    ['an amount that is a text', { ...required, amount: '10.00' }],
    ['an amount that is a list', { ...required, amount: ['10.00', 'RUB'] }],
    ['an amount without a value', { ...required, amount: { currency: 'RUB' } }],
    ['an amount without a currency', { ...required, amount: { value: '10.00' } }],
    ['a value that is a number', { ...required, amount: { value: 10, currency: 'RUB' } }],
    ['a value of one fractional digit', { ...required, amount: { value: '10.5', currency: 'RUB' } }],
    ['a value below zero', { ...required, amount: { value: '-10.00', currency: 'RUB' } }],
    ['a value of 14 digits', { ...required, amount: { value: '12345678901234.00', currency: 'RUB' } }],
    ['an error', { type: 'error', id: 'e', code: 'not_found' }],
    ['a payment in its prototype', JSON.parse(`{"__proto__":${JSON.stringify(required)}}`)],
  ])('is not made from %s', (_name, body) => {
    expect(parseServicePayment(body)).toBeNull();
  });

  it.each<[string, object, object]>([
    ['a refund that is no amount', { refunded_amount: { value: 'all' } }, { refundedMinor: 0 }],
    ['a confirmation that is a text', { confirmation: 'https://x' }, { confirmation: null }],
    ['a confirmation without an address', { confirmation: { type: 'redirect' } }, { confirmation: null }],
    [
      'a discount',
      { payment_method: { type: 'sber_loan', discount_amount: { value: '1.50', currency: 'RUB' } } },
      { method: 'sber_loan', discountMinor: 150 },
    ],
    ['an odd discount', { payment_method: { discount_amount: '1.50' } }, { discountMinor: null }],
    ['a widget without a token', { confirmation: { type: 'embedded' } }, { confirmation: null }],
    [
      'a code without its data',
      { confirmation: { type: 'qr', confirmation_data: 7 } },
      { confirmation: null },
    ],
    [
      'a widget',
      { confirmation: { type: 'embedded', confirmation_token: 'ct-1' } },
      { confirmation: { type: 'embedded', token: 'ct-1' } },
    ],
    [
      'a code',
      { confirmation: { type: 'qr', confirmation_data: 'https://qr.nspk.ru/1' } },
      { confirmation: { type: 'qr', data: 'https://qr.nspk.ru/1' } },
    ],
    ['a push', { confirmation: { type: 'external' } }, { confirmation: { type: 'external' } }],
    [
      "a link into the bank's app",
      { confirmation: { type: 'mobile_application', confirmation_url: 'sberpay://1' } },
      { confirmation: { type: 'mobile_application', url: 'sberpay://1' } },
    ],
    [
      'an unknown confirmation with an address',
      { confirmation: { type: 'hologram', confirmation_url: 'https://x' } },
      { confirmation: { type: 'redirect', url: 'https://x' } },
    ],
    ['a recipient that is null', { recipient: null }, { accountId: null }],
    ['an account that is a number', { recipient: { account_id: 507 } }, { accountId: null }],
    ['a test flag that is a text', { test: 'true' }, { test: null }],
    ['a time that is none', { expires_at: 'soon', created_at: 12 }, { expiresAt: null, createdAt: null }],
    [
      'a time of no year that we write',
      { expires_at: '+010000-01-01T00:00:00Z', created_at: '0000-12-31T23:59:59Z' },
      { expiresAt: null, createdAt: null },
    ],
    [
      'the last time that we write, and the first',
      { expires_at: '9999-12-31T23:59:59.999Z', created_at: '0001-01-01T00:00:00.000Z' },
      {
        expiresAt: new Date('9999-12-31T23:59:59.999Z'),
        createdAt: new Date('0001-01-01T00:00:00.000Z'),
      },
    ],
    ['metadata that is a list', { metadata: [] }, { metadata: {} }],
    ['a cancellation that is a text', { cancellation_details: 'fraud' }, { cancellation: null }],
    [
      'a cancellation without words',
      { cancellation_details: { party: 1 } },
      { cancellation: { party: 'unknown', reason: 'unknown' } },
    ],
  ])('is still read with %s', (_name, fields, expected) => {
    expect(parseServicePayment({ ...required, ...fields })).toMatchObject({ id: 'service-1', ...expected });
  });

  it('is read from any JSON without an error, and its sums are never anything but whole numbers', () => {
    const anything = fc.jsonValue();
    const amount = fc.oneof(
      anything,
      fc.record({
        value: fc.oneof(anything, fc.constantFrom('1.00', '0.5', '1e3.00')),
        currency: fc.constantFrom('RUB', 5),
      }),
    );
    const almost = fc.record(
      {
        id: fc.oneof(fc.constant('a'), anything),
        status: fc.oneof(fc.constant('pending'), anything),
        amount,
        refunded_amount: amount,
        confirmation: anything,
        recipient: anything,
        cancellation_details: anything,
        created_at: anything,
        expires_at: fc.oneof(fc.string(), anything),
        metadata: anything,
        test: anything,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anything, almost), (body) => {
        const payment = parseServicePayment(body);
        const minors = payment === null ? [] : [payment.amountMinor, payment.refundedMinor];
        expect(minors.every((minor) => Number.isSafeInteger(minor) && minor >= 0)).toBe(true);
        expect(parseServicePayment(payment?.kept)).toEqual(payment);
      }),
      { numRuns: 1_000 },
    );
  });
});
