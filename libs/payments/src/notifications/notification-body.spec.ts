import * as fc from 'fast-check';
import { keptNotification, parseNotification } from './notification-body.js';

const body = (fields: object) => ({
  type: 'notification',
  event: 'payment.succeeded',
  object: { id: '2419a771-000f-5000-9000-1edaf29243f2' },
  ...fields,
});

describe('a notification', () => {
  it('is read only for its event and its object’s id', () => {
    const object = { id: '2419a771-000f-5000-9000-1edaf29243f2', status: 'succeeded', paid: true };
    expect(parseNotification(body({ object, extra: 1 }))).toEqual({
      event: 'payment.succeeded',
      objectType: 'payment',
      objectId: '2419a771-000f-5000-9000-1edaf29243f2',
      ofPayment: null,
    });
  });

  it.each<[string, string, object, string | null]>([
    ['its payment', 'refund.succeeded', { payment_id: 'of-a' }, 'of-a'],
    ['no payment', 'refund.succeeded', {}, null],
    ['what is no id', 'refund.succeeded', { payment_id: '../a' }, null],
    ['a number', 'refund.succeeded', { payment_id: 5 }, null],
    ['a payment, and is no refund', 'payout.succeeded', { payment_id: 'of-a' }, null],
  ])('of a refund is read for the payment that it names: %s', (_what, event, fields, ofPayment) => {
    expect(parseNotification(body({ event, object: { id: 'a', ...fields } }))).toMatchObject({ ofPayment });
  });

  it.each(['payment.succeeded', 'invoice.paid'])('%s is stored without fields that nobody knows', (event) => {
    const given = body({ event, object: { id: 'an-id', status: 'succeeded', card: { csc: 'any' } } });
    const parsed = parseNotification(given);
    const kept: unknown = parsed && JSON.parse(keptNotification(parsed, given));
    expect(kept).toMatchObject({ type: 'notification', event, object: { id: 'an-id' } });
    expect(JSON.stringify(kept)).not.toContain('csc');
  });

  it.each([
    'payment.waiting_for_capture',
    'payment.canceled',
    'refund.succeeded',
    'payout.canceled',
    'deal.closed',
    'payment_method.active',
    'invoice.some_new_status',
    `${'o'.repeat(32)}.${'s'.repeat(32)}`,
  ])('may be about %s', (event) => expect(parseNotification(body({ event }))?.event).toBe(event));

  it.each(['a', 'po-285e5ee7-0022-5000-8000-01516a44b147', 'dl_1', 'x'.repeat(64)])(
    'may name the object %s',
    (id) => {
      expect(parseNotification(body({ object: { id } }))?.objectId).toBe(id);
    },
  );

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'notification'],
    ['a number', 1],
    ['a list', [body({})]],
    ['an empty object', {}],
    ['no type', body({ type: undefined })],
    ['another type', body({ type: 'list' })],
    ['a type in capitals', body({ type: 'Notification' })],
    ['no event', body({ event: undefined })],
    ['an event that is no text', body({ event: ['payment.succeeded'] })],
    ['an event without a status', body({ event: 'payment' })],
    ['an event with an empty status', body({ event: 'payment.' })],
    ['an event of three parts', body({ event: 'payment.succeeded.twice' })],
    ['an event of an object in capitals', body({ event: 'Payment.succeeded' })],
    ['an event of a status in capitals', body({ event: 'payment.Succeeded' })],
    ['an event that begins with a line', body({ event: '_payment.succeeded' })],
    ['an event with a line break', body({ event: 'payment.succeeded\n' })],
    ['an event of a very long object', body({ event: `${'o'.repeat(33)}.succeeded` })],
    ['an event of a very long status', body({ event: `payment.${'s'.repeat(33)}` })],
    ['no object', body({ object: undefined })],
    ['an object that is null', body({ object: null })],
    ['an object that is a list', body({ object: [{ id: 'a' }] })],
    ['an object that is a text', body({ object: 'a' })],
    ['no id', body({ object: {} })],
    ['an empty id', body({ object: { id: '' } })],
    ['an id that is a number', body({ object: { id: 1 } })],
    ['an id that is an object', body({ object: { id: { toString: 'a' } } })],
    ['an id that leaves its path', body({ object: { id: '../me' } })],
    ['an id with a slash', body({ object: { id: 'a/capture' } })],
    ['an id with an encoded slash', body({ object: { id: 'a%2fcapture' } })],
    ['an id with a query', body({ object: { id: 'a?limit=1' } })],
    ['an id with a fragment', body({ object: { id: 'a#b' } })],
    ['an id that is an address', body({ object: { id: 'https://example.com' } })],
    ['an id with a space', body({ object: { id: 'a b' } })],
    ['an id with a line break', body({ object: { id: 'a\n' } })],
    ['an id with a zero byte', body({ object: { id: 'a\u0000' } })],
    ['an id in another script', body({ object: { id: 'платёж' } })],
    ['an id of 65 characters', body({ object: { id: 'x'.repeat(65) } })],
    ['an id of a million characters', body({ object: { id: 'x'.repeat(1_000_000) } })],
    ['everything in its prototype', JSON.parse(`{"__proto__":${JSON.stringify(body({}))}}`)],
    [
      'an id in the object’s prototype',
      JSON.parse('{"type":"notification","event":"payment.succeeded","object":{"__proto__":{"id":"a"}}}'),
    ],
  ])('is not a body with %s', (_name, given) => {
    expect(parseNotification(given)).toBeNull();
  });

  it('is kept whole, and as its id and status alone where it is larger than any object can be', () => {
    const object = { id: 'a', status: 'succeeded', metadata: { note: 'n'.repeat(512) } };
    const parsed = { event: 'payment.succeeded', objectType: 'payment', objectId: 'a', ofPayment: null };
    expect(JSON.parse(keptNotification(parsed, body({ object })))).toMatchObject({ object });
    const address = 'x'.repeat(2_048);
    const large = {
      ...object,
      created_at: address,
      captured_at: address,
      expires_at: address,
      confirmation: { return_url: address, confirmation_url: address, confirmation_data: address },
      recipient: { account_id: address, gateway_id: address },
    };
    expect(JSON.parse(keptNotification(parsed, body({ object: large })))).toEqual({
      type: 'notification',
      event: 'payment.succeeded',
      object: { id: 'a', status: 'succeeded' },
    });
  });

  it('that carries a prototype of its own changes no other object', () => {
    parseNotification(
      JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    );
    expect('polluted' in {}).toBe(false);
  });

  it('is read from no JSON but that of an event and a plain id, and never throws', () => {
    const mixed = fc.record(
      {
        type: fc.constantFrom<unknown>('notification', 'list', 1),
        event: fc.oneof(fc.constant('payment.succeeded'), fc.jsonValue()),
        object: fc.oneof(fc.record({ id: fc.oneof(fc.string(), fc.jsonValue()) }), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), mixed), (given) => {
        const hint = parseNotification(given);
        expect(
          hint === null || new URL(`https://service.example/v3/payments/${hint.objectId}`).pathname,
        ).toBe(hint === null || `/v3/payments/${hint.objectId}`);
      }),
    );
  });
});
