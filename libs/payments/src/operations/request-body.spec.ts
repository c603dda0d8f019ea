import { intentOf } from '../../../../test/support/state.js';
import { documentedProfile } from '../api/service-profile.js';
import { yookassaProfile } from '../api/yookassa-profile.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import { receiptToWire } from '../receipts/receipt-to-wire.js';
import type { ReceiptInput } from '../receipts/receipt.input.js';
import { bodyToSend, type RecordedBody } from './personal-data.js';
import {
  CANCEL_BODY,
  captureBody,
  createBody,
  withUnstored,
  fingerprint,
  refundBody,
} from './request-body.js';

const plain = intentOf({
  orderReference: 'order 7',
  totalDueMinor: 123_450,
  amountMinor: 123_450,
  confirmation: { type: 'redirect', returnUrl: 'https://shop.example/return?order=7' },
});

const parsed = (recorded: RecordedBody): unknown => JSON.parse(bodyToSend(recorded));
const sent = (fields: Partial<CreateIntent> = {}): unknown =>
  parsed(createBody({ ...plain, ...fields }, 'mark-1', documentedProfile));

describe('the body of a create', () => {
  it('contains the fields of the interface, and nothing of ours but the payment id', () => {
    expect(sent()).toEqual({
      amount: { value: '1234.50', currency: 'RUB' },
      capture: true,
      confirmation: { type: 'redirect', return_url: 'https://shop.example/return?order=7' },
      metadata: { holdfast_payment: 'mark-1' },
    });
  });

  it.each<[string, Partial<CreateIntent>, object]>([
    ['a hold', { capture: false }, { capture: false }],
    ['a method', { method: 'wallet' }, { payment_method_data: { type: 'wallet' } }],
    ['a description', { description: 'Two cups' }, { description: 'Two cups' }],
    ['an empty description', { description: '' }, { description: '' }],
    ['metadata', { metadata: { basket: '7' } }, { metadata: { basket: '7', holdfast_payment: 'mark-1' } }],
    [
      'metadata that takes our key',
      { metadata: { holdfast_payment: 'another' } },
      { metadata: { holdfast_payment: 'mark-1' } },
    ],
    [
      '3-D Secure asked for',
      { confirmation: { type: 'redirect', returnUrl: 'https://shop.example/', enforce3dSecure: true } },
      { confirmation: { type: 'redirect', return_url: 'https://shop.example/', enforce: true } },
    ],
    [
      'a language',
      { confirmation: { type: 'embedded', locale: 'en_US' } },
      { confirmation: { type: 'embedded', locale: 'en_US' } },
    ],
    [
      'a code to scan',
      { confirmation: { type: 'qr', returnUrl: 'https://shop.example/' } },
      { confirmation: { type: 'qr', return_url: 'https://shop.example/' } },
    ],
    [
      'an app to pay in',
      { confirmation: { type: 'mobile_application', returnUrl: 'shop://paid' } },
      { confirmation: { type: 'mobile_application', return_url: 'shop://paid' } },
    ],
    [
      'what a method needs',
      {
        method: 'b2b_sberbank',
        methodData: { paymentPurpose: 'Tea', vatData: { type: 'untaxed' } },
      },
      {
        payment_method_data: {
          type: 'b2b_sberbank',
          payment_purpose: 'Tea',
          vat_data: { type: 'untaxed' },
        },
      },
    ],
    ['a method to save', { savePaymentMethod: true }, { save_payment_method: true }],
    [
      "the merchant's name for the buyer",
      { sent: { merchantCustomerId: 'buyer-7' } },
      { merchant_customer_id: 'buyer-7' },
    ],
    ['air tickets', { sent: { airline: { ticket_number: '421' } } }, { airline: { ticket_number: '421' } }],
    ['a kopeck', { amountMinor: 1 }, { amount: { value: '0.01', currency: 'RUB' } }],
  ])('contains %s', (_name, fields, expected) => {
    expect(sent(fields)).toMatchObject(expected);
  });

  it('by a saved method names it, and has nothing to confirm', () => {
    expect(sent({ paymentMethodId: 'pm-1', confirmation: null })).toEqual({
      amount: { value: '1234.50', currency: 'RUB' },
      capture: true,
      payment_method_id: 'pm-1',
      metadata: { holdfast_payment: 'mark-1' },
    });
  });

  it("calls the method by the profile's name", () => {
    const body = createBody({ ...plain, method: 'wallet' }, 'mark-1', yookassaProfile);
    expect(parsed(body)).toMatchObject({ payment_method_data: { type: 'yoo_money' } });
  });

  it('by card data is recorded without it, and sent with it', () => {
    const intent: CreateIntent = { ...plain, method: 'bank_card', cardData: true };
    const card = { number: '5555555555554444', expiry_month: '01', expiry_year: '2099', csc: '123' };
    const request = createBody(intent, 'mark-1', documentedProfile);
    const { body: recorded } = request;
    const full = withUnstored(request, documentedProfile, { type: 'bank_card', card });
    expect(JSON.parse(recorded)).toMatchObject({ payment_method_data: { type: 'bank_card' } });
    expect(recorded).not.toMatch(/5555|123"/);
    expect(JSON.parse(full)).toEqual({
      ...JSON.parse(recorded),
      payment_method_data: { type: 'bank_card', card },
    });
  });

  it('contains no mark of ours if the profile has none', () => {
    const { body } = createBody(plain, 'mark-1', { ...documentedProfile, metadataKey: null });
    expect(JSON.parse(body)).toMatchObject({ metadata: {} });
    expect(body).not.toContain('mark-1');
  });

  it('contains our mark where the profile puts it', () => {
    const { body } = createBody(plain, 'mark-1', { ...documentedProfile, metadataKey: 'ours' });
    expect(JSON.parse(body)).toMatchObject({ metadata: { ours: 'mark-1' } });
  });

  it('is the same text every time, since another body under one key is refused', () => {
    const intent = { ...plain, description: 'Чай', metadata: { b: '2', a: '1' } };
    expect(createBody(intent, 'mark-1', documentedProfile)).toEqual(
      createBody({ ...intent }, 'mark-1', documentedProfile),
    );
  });
});

describe('the body of a finish', () => {
  it('always contains the amount to capture', () => {
    expect(bodyToSend(captureBody(60_000, 'RUB'))).toBe('{"amount":{"value":"600.00","currency":"RUB"}}');
  });

  it('of a capture contains what is known of the air tickets by now', () => {
    expect(parsed(captureBody(60_000, 'RUB', { airline: { booking_reference: 'ABC' } }))).toEqual({
      amount: { value: '600.00', currency: 'RUB' },
      airline: { booking_reference: 'ABC' },
    });
  });

  it('of a cancel is an empty object', () => expect(bodyToSend(CANCEL_BODY)).toBe('{}'));
});

describe('the body of a refund', () => {
  it('contains payment, amount, description, metadata and our mark', () => {
    const refund = {
      serviceId: 'svc-1',
      amountMinor: 60_000,
      currency: 'RUB' as const,
      description: 'one cup',
      metadata: { size: 'XL' },
      receipt: null,
      extra: {},
      mark: 'r-1',
    };
    expect(parsed(refundBody({ ...refund, profile: documentedProfile }))).toEqual({
      payment_id: 'svc-1',
      amount: { value: '600.00', currency: 'RUB' },
      description: 'one cup',
      metadata: { size: 'XL', holdfast_refund: 'r-1' },
    });
    const plainRefund = refundBody({ ...refund, description: null, profile: documentedProfile });
    expect(parsed(plainRefund)).not.toHaveProperty('description');
  });
});

describe('a receipt', () => {
  const receipt: ReceiptInput = {
    customer: { email: 'anna@buyer.example', phone: '79001234567' },
    items: [{ description: 'Tea', amount: { value: '1234.50', currency: 'RUB' }, quantity: 1, vatCode: 1 }],
  };
  const requests: [string, RecordedBody][] = [
    ['create', createBody({ ...plain, receipt }, 'mark-1', yookassaProfile)],
    ['capture', captureBody(123_450, 'RUB', { receipt })],
    [
      'refund',
      refundBody({
        serviceId: 'svc-1',
        amountMinor: 123_450,
        currency: 'RUB' as const,
        description: null,
        metadata: {},
        receipt,
        extra: {},
        mark: 'r-1',
        profile: yookassaProfile,
      }),
    ],
  ];

  it.each(requests)('of a %s is sent whole, and its contacts are recorded apart', (_kind, request) => {
    expect(parsed(request)).toMatchObject({ receipt: receiptToWire(receipt) });
    expect(request.body).not.toMatch(/anna|79001234567/);
    expect(JSON.parse(request.personal ?? '')).toEqual({ receipt: { customer: receipt.customer } });
  });

  it('is sent in the same bytes every time', () => {
    for (const [, request] of requests) expect(bodyToSend({ ...request })).toBe(bodyToSend(request));
  });
});

describe('what a method needs', () => {
  it('is sent whole, and what of it is about a person is recorded apart', () => {
    const phone = '79001234567';
    const intent = { ...plain, method: 'mobile_balance', methodData: { phone } };
    const request = createBody(intent, 'mark-1', yookassaProfile);
    expect(parsed(request)).toMatchObject({ payment_method_data: { type: 'mobile_balance', phone } });
    expect(JSON.parse(request.body)).toMatchObject({ payment_method_data: { type: 'mobile_balance' } });
    expect(request.body).not.toContain(phone);
    expect(JSON.parse(request.personal ?? '')).toEqual({ payment_method_data: { phone } });
  });
});

describe('what the module does not know', () => {
  const about = { client_ip: '203.0.113.7', statements: [{ delivery_method: { email: 'a@b.example' } }] };
  const transfers = [{ account_id: '7' }];
  const extra = { transfers, ...about, payment_method_data: { note: 'x' } };

  it('is sent beside the rest and never in its place, and what is about a person is recorded apart', () => {
    const forged = { ...extra, amount: 1, payment_method_data: { note: 'x', type: 'forged' } };
    const request = createBody({ ...plain, method: 'wallet', extra: forged }, 'mark-1', yookassaProfile);
    expect(parsed(request)).toEqual({
      ...about,
      transfers,
      amount: { value: '1234.50', currency: 'RUB' },
      capture: true,
      confirmation: { type: 'redirect', return_url: 'https://shop.example/return?order=7' },
      payment_method_data: { note: 'x', type: 'yoo_money' },
      metadata: { holdfast_payment: 'mark-1' },
    });
    expect(request.body).not.toMatch(/203\.0|a@b/);
    expect(JSON.parse(request.personal ?? '')).toEqual(about);
  });

  it('goes with card data too', () => {
    const intent: CreateIntent = { ...plain, method: 'bank_card', cardData: true, extra };
    const card = { number: '5555555555554444', expiry_month: '01', expiry_year: '2099', csc: '123' };
    const request = createBody(intent, 'mark-1', documentedProfile);
    const body = withUnstored(request, documentedProfile, { type: 'bank_card', card });
    expect(JSON.parse(body)).toMatchObject({
      transfers,
      payment_method_data: { note: 'x', type: 'bank_card', card },
    });
  });

  it('goes with a capture and a refund, and changes their fingerprint', () => {
    const capture = captureBody(100, 'RUB', { extra: { transfers } });
    expect(parsed(capture)).toEqual({ transfers, amount: { value: '1.00', currency: 'RUB' } });
    expect(fingerprint('capture', capture)).not.toBe(fingerprint('capture', captureBody(100, 'RUB')));
  });
});

describe('a fingerprint', () => {
  const plainText = (body: string): RecordedBody => ({ body, personal: null });
  const requests = [captureBody(100, 'RUB'), captureBody(101, 'RUB'), CANCEL_BODY];

  it('is the same for the same kind and bytes', () => {
    for (const { body } of requests)
      expect(fingerprint('capture', plainText(body))).toBe(
        fingerprint('capture', plainText(Buffer.from(body).toString())),
      );
    expect(fingerprint('cancel', CANCEL_BODY)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs with the kind, with every byte and with what is recorded apart', () => {
    const personal = '{"receipt":{"customer":{"email":"anna@buyer.example"}}}';
    const prints = (['create', 'capture', 'cancel'] as const).flatMap((kind) =>
      [...requests, plainText('{} '), { body: '{}', personal }].map((request) => fingerprint(kind, request)),
    );
    expect(new Set(prints).size).toBe(15);
  });
});
