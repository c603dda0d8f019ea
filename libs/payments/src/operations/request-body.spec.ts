import { documentedProfile } from '../api/service-profile.js';
import type { CreateIntent } from '../payment/create-payment.input.js';
import { CANCEL_BODY, captureBody, createBody, fingerprint } from './request-body.js';

const plain: CreateIntent = {
  orderReference: 'order 7',
  totalDueMinor: 123_450,
  amountMinor: 123_450,
  currency: 'RUB',
  capture: true,
  returnUrl: 'https://shop.example/return?order=7',
  method: null,
  description: null,
  metadata: {},
  replace: false,
  part: '',
};

const sent = (fields: Partial<CreateIntent> = {}): unknown =>
  JSON.parse(createBody({ ...plain, ...fields }, 'payment-1', documentedProfile));

describe('the body of a create', () => {
  it('says what the interface asks for, and nothing of ours but the payment id', () => {
    expect(sent()).toEqual({
      amount: { value: '1234.50', currency: 'RUB' },
      capture: true,
      confirmation: { type: 'redirect', return_url: 'https://shop.example/return?order=7' },
      metadata: { holdfast_payment_id: 'payment-1' },
    });
  });

  it.each<[string, Partial<CreateIntent>, object]>([
    ['a hold', { capture: false }, { capture: false }],
    ['a method', { method: 'wallet' }, { payment_method_data: { type: 'wallet' } }],
    ['a description', { description: 'Two cups' }, { description: 'Two cups' }],
    ['an empty description', { description: '' }, { description: '' }],
    [
      'metadata',
      { metadata: { basket: '7' } },
      { metadata: { basket: '7', holdfast_payment_id: 'payment-1' } },
    ],
    [
      'metadata that takes our key',
      { metadata: { holdfast_payment_id: 'another' } },
      { metadata: { holdfast_payment_id: 'payment-1' } },
    ],
    ['a kopeck', { amountMinor: 1 }, { amount: { value: '0.01', currency: 'RUB' } }],
  ])('says %s', (_name, fields, expected) => {
    expect(sent(fields)).toMatchObject(expected);
  });

  it('puts our payment id where the profile says', () => {
    const body = createBody(plain, 'payment-1', { ...documentedProfile, metadataKey: 'ours' });
    expect(JSON.parse(body)).toMatchObject({ metadata: { ours: 'payment-1' } });
  });

  it('is the same text every time, since another body under one key is refused', () => {
    const intent = { ...plain, description: 'Чай', metadata: { b: '2', a: '1' } };
    expect(createBody(intent, 'payment-1', documentedProfile)).toBe(
      createBody({ ...intent }, 'payment-1', documentedProfile),
    );
  });
});

describe('the body of a finish', () => {
  it('always says the amount to capture', () => {
    expect(captureBody(60_000, 'RUB')).toBe('{"amount":{"value":"600.00","currency":"RUB"}}');
  });

  it('of a cancel is an empty object', () => expect(CANCEL_BODY).toBe('{}'));
});

describe('a fingerprint', () => {
  const bodies = [captureBody(100, 'RUB'), captureBody(101, 'RUB'), CANCEL_BODY];

  it('is the same for the same kind and bytes', () => {
    for (const body of bodies)
      expect(fingerprint('capture', body)).toBe(fingerprint('capture', Buffer.from(body).toString()));
    expect(fingerprint('cancel', '{}')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs with the kind and with every byte', () => {
    const prints = (['create', 'capture', 'cancel'] as const).flatMap((kind) =>
      [...bodies, `${CANCEL_BODY} `].map((body) => fingerprint(kind, body)),
    );
    expect(new Set(prints).size).toBe(12);
  });
});
