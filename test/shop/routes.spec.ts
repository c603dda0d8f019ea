import supertest from 'supertest';

import { Buyer } from '../support/buyer.js';
import { eventually } from '../support/eventually.js';
import { routesOf } from '../support/routes.js';
import { staffPassword, startTestShop, type TestShop } from '../support/shop.js';
import { Staff } from '../support/staff.js';

/** What anybody may request. Everything else is the staff's. */
const open = [
  'GET /',
  'GET /styles.css',
  'GET /waiting.js',
  'GET /widget.js',
  'GET /products/:slug',
  'GET /products/:slug/checkout',
  'POST /orders/:reference',
  'POST /orders/:reference/pay',
  'GET /orders/:reference',
  'GET /orders/:reference.json',
  'GET /orders/:reference/return',
  'POST /webhooks/payments',
  'POST /webhooks/payments/:storeKey',
];

const MINUTE_MS = 60_000;

describe('the routes of the shop', () => {
  let test: TestShop;
  let buyer: Buyer;
  let staff: Staff;
  let addresses = 0;
  /** Held: a part of it can be charged, and all of it released. */
  let held: { reference: string; serviceId: string };

  beforeAll(async () => {
    test = await startTestShop();
    buyer = new Buyer(test.shop.url);
    staff = new Staff(test.shop.url);
    held = await order('first-flush-darjeeling', 'held');
  });
  afterAll(() => test.close());

  /** What the shop sends to a new client address. */
  function ask(route: string, { reference = held.reference, headers = {}, form = {} }: Asked = {}) {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern.replace(':reference', reference).replace(':slug', 'fireweed').replace(/:\w+/, '1');
    const shop = supertest(test.shop.url);
    const request = method === 'POST' ? shop.post(path).type('form').send(form) : shop.get(path);
    return request.redirects(0).set({ 'X-Forwarded-For': `203.0.113.${(addresses += 1)}`, ...headers });
  }
  interface Asked {
    reference?: string;
    headers?: Record<string, string>;
    form?: Record<string, string>;
  }

  async function order(product: string, state: string): Promise<{ reference: string; serviceId: string }> {
    const reference = await buyer.newReference(product);
    await buyer.checkOut(reference, product);
    const serviceId = (await staff.order(reference)).payments[0]?.serviceId ?? '';
    test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await eventually(
      () => buyer.order(reference),
      (answer) => answer.state === state,
    );
    return { reference, serviceId };
  }

  const staffRoutes = () => routesOf(test.shop.app).filter((route) => !open.includes(route));
  const basic = (password: string) => ({
    Authorization: `Basic ${Buffer.from(`staff:${password}`).toString('base64')}`,
  });

  it('that move money, and all that show more than a buyer’s own order, are the staff’s', () => {
    expect(routesOf(test.shop.app)).toEqual(expect.arrayContaining(open));
    expect(staffRoutes().toSorted()).toEqual([
      'GET /staff',
      'GET /staff/orders/:reference',
      'GET /staff/orders/:reference.json',
      'GET /staff/payments',
      'GET /staff/payments/board.css',
      'GET /staff/payments/board.js',
      'GET /staff/payments/books',
      'GET /staff/payments/books/:id',
      'GET /staff/payments/deliveries',
      'GET /staff/payments/handler',
      'GET /staff/payments/handlers',
      'GET /staff/payments/holds',
      'GET /staff/payments/incidents',
      'GET /staff/payments/notifications',
      'GET /staff/payments/overview',
      'GET /staff/payments/payments',
      'GET /staff/payments/payments/:id',
      'GET /staff/payments/payments/:id/:action',
      'GET /staff/payments/receipts',
      'GET /staff/payments/recoveries',
      'GET /staff/payments/requests',
      'GET /staff/payments/store',
      'GET /staff/payments/stores',
      'POST /staff/orders/:reference/cancel',
      'POST /staff/orders/:reference/hand-over',
      'POST /staff/orders/:reference/refund',
      'POST /staff/orders/:reference/ship',
      'POST /staff/payments/books',
      'POST /staff/payments/deliveries/retry',
      'POST /staff/payments/handlers/retire',
      'POST /staff/payments/payments/:id/:action',
      'POST /staff/payments/recoveries/database',
      'POST /staff/payments/recoveries/read-again',
      'POST /staff/payments/stores/check',
    ]);
  });

  it.each([
    ['a stranger', {}, 401],
    ['the order’s buyer', { Referer: 'http://127.0.0.1/orders/' }, 401],
    ['the staff of another shop', basic('staff_of_another_shop'), 401],
    [
      'another site’s page in a staff member’s browser',
      { ...basic(staffPassword), Origin: 'https://evil.example' },
      403,
    ],
  ])('that are the staff’s do nothing for %s', async (_who, headers, refusal) => {
    const before = test.sandbox.ledger.entries();
    for (const route of staffRoutes()) {
      // A staff page is shown in their own browser, where no other site can read it.
      if (refusal === 403 && route.startsWith('GET')) continue;
      const form = { refundKey: crypto.randomUUID(), amount: '1' };
      const answer = await ask(route, { headers, form });
      expect([route, answer.status]).toEqual([route, refusal]);
      expect(answer.text).not.toContain(held.reference);
    }
    for (const act of ['ship', 'cancel', 'refund', 'hand-over'])
      expect((await ask(`POST /orders/:reference/${act}`, { headers })).status).toBe(404);
    expect(test.sandbox.payments.get(held.serviceId).status).toBe('waiting_for_capture');
    expect(test.sandbox.ledger.entries()).toEqual(before);
  });

  it('show a buyer only the buyer’s data: no key, no number of ours, nothing that is for the staff', async () => {
    const { reference } = await order('milk-oolong', 'paid');
    await staff.refund(reference, await staff.refundKey(reference), '234,50');
    const whole = await eventually(
      () => staff.order(reference),
      ({ state }) => state === 'partially_refunded',
    );
    const json = await ask('GET /orders/:reference.json', { reference });
    expect(json.body).toEqual({
      reference,
      state: 'partially_refunded',
      standing: 'partially_refunded',
      product: 'milk-oolong',
      productName: 'Milk Oolong',
      quantity: 1,
      totalMinor: 123_450,
      paid: { value: '1234.50', currency: 'RUB' },
      held: { value: '0.00', currency: 'RUB' },
      refunded: { value: '234.50', currency: 'RUB' },
      payments: [
        {
          status: 'succeeded',
          amount: { value: '1234.50', currency: 'RUB' },
          paidWith: 'Bank card *4444',
          confirmationUrl: null,
          heldUntil: null,
          refunds: [{ status: 'succeeded', amount: { value: '234.50', currency: 'RUB' } }],
        },
      ],
    });
    const page = await ask('GET /orders/:reference', { reference });
    const [payment] = whole.payments;
    const [refund] = payment?.refunds ?? [];
    const inner = [
      payment?.id,
      payment?.serviceId,
      refund?.id,
      refund?.refundKey,
      ...whole.effects.map(({ effectKey }) => effectKey),
    ];
    for (const secret of inner) {
      expect(secret).toMatch(/.{8}/);
      expect(page.text).not.toContain(secret);
      expect(json.text).not.toContain(secret);
    }
    expect(page.text).not.toMatch(/staff|Merchant Profile|sent a notification/i);
    expect((await ask('GET /orders/:reference')).text).not.toMatch(/staff|reminded/i);
  });

  it('find an order only by a reference that nobody can guess', async () => {
    const references = await Promise.all([1, 2, 3].map(() => buyer.newReference('fireweed')));
    expect(new Set(references).size).toBe(3);
    // 31 letters and digits: 79 bits.
    for (const reference of references) expect(reference).toMatch(/^[2-9A-HJKMNP-Z]{16}$/);
    const another = held.reference.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const answers = [
      'GET /orders/:reference',
      'GET /orders/:reference.json',
      'GET /orders/:reference/return',
    ];
    for (const route of [...answers, 'POST /orders/:reference/pay'])
      expect([route, (await ask(route, { reference: another })).status]).toEqual([route, 404]);
  });

  it('answer with headers that protect personal data, whatever the answer', async () => {
    const asked: [string, Asked?][] = [
      ...routesOf(test.shop.app).map((route): [string] => [route]),
      ['GET /nowhere'],
      ['GET /orders/%E0%A4%A'],
      ['GET /staff', { headers: basic(staffPassword) }],
      ['POST /orders/:reference', { form: { name: 'x'.repeat(200_000) } }],
    ];
    for (const [route, how] of asked) {
      const { headers, status, type } = await ask(route, how);
      const isStatic = type === 'text/css' || type === 'text/javascript';
      expect([route, status, headers]).toEqual([
        route,
        status,
        expect.objectContaining({
          'x-content-type-options': 'nosniff',
          'content-security-policy': expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
          'cache-control': isStatic ? 'no-cache' : 'no-store',
          'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
        }),
      ]);
      expect(headers['content-security-policy']).toMatch(/; script-src 'self'; connect-src 'self'$/);
      expect(headers).not.toHaveProperty('x-powered-by');
    }
  });

  it('have browsers keep to HTTPS where they came by it, as a trusted proxy says', async () => {
    const headerBy = async (protocol: string) =>
      (await ask('GET /', { headers: { 'X-Forwarded-Proto': protocol } })).headers[
        'strict-transport-security'
      ];
    expect(await headerBy('https')).toBe('max-age=31536000');
    expect(await headerBy('http')).toBeUndefined();
  });

  it.each([
    ['GET /orders/:reference?notice=__proto__', {}],
    ['GET /orders/:reference?notice=toString', {}],
    ['GET /orders/:reference?notice=%00', {}],
    ['GET /orders/:reference?notice=order_refunded&notice=order_refunded', {}],
    [`GET /orders/:reference?notice=${'x'.repeat(10_000)}`, {}],
    ['GET /staff/orders/:reference?notice=__proto__', {}],
    ['GET /staff/orders/:reference?notice=constructor', {}],
    ['GET /orders/%00', {}],
    ['GET /orders/%00.json', {}],
    ['GET /orders/%E0%A4%A', {}],
    ['GET /products/%00', {}],
    ['GET /products/%ff', {}],
    ['GET /?page=%00', {}],
    ['POST /orders/%00/pay', {}],
    [
      'POST /orders/:reference',
      { productSlug: 'fireweed', name: 'A\0', email: 'a@b.example', quantity: '1' },
    ],
    ['POST /orders/:reference', { 'name[a]': 'Anna' }],
    ['POST /orders/:reference', { 'name[]': 'Anna' }],
    ['POST /orders/:reference', { name: 'x'.repeat(10_000) }],
    ['POST /staff/orders/:reference/refund', { refundKey: '\0', amount: '1' }],
    ['POST /staff/orders/:reference/refund', { 'refundKey[]': crypto.randomUUID(), amount: '1' }],
    ['POST /staff/orders/:reference/refund', { refundKey: crypto.randomUUID(), pieces: '-1' }],
    ['POST /staff/orders/%00/ship', {}],
  ])('answer 400 to %.80s with %.80j', async (route, form: Record<string, string>) => {
    const answer = await ask(route, { headers: basic(staffPassword), form });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('That did not work');
  });

  it('answer 4xx to a body of another kind, and to one that is too large', async () => {
    const send = (type: string, body: string) =>
      supertest(test.shop.url).post(`/orders/${held.reference}`).set('Content-Type', type).send(body);
    const bodies: [string, string, number][] = [
      ['application/json', '{', 400],
      ['application/json', '{"name":{"first":"Anna"}}', 400],
      ['application/json', '[1]', 400],
      ['application/json', '{"__proto__":{"name":"Anna"}}', 400],
      ['application/x-www-form-urlencoded', `name=${'x'.repeat(200_000)}`, 413],
      ['application/x-www-form-urlencoded; charset=klingon', 'name=Anna', 415],
      ['application/x-www-form-urlencoded', 'name=Anna&'.repeat(2_000), 413],
    ];
    for (const [type, body, status] of bodies)
      expect([type, (await send(type, body)).status]).toEqual([type, status]);
  });

  it('let nobody try passwords for long, and nobody lock the staff out', async () => {
    const { shop, sandbox } = test;
    const tryFrom = (address: string, password: string) =>
      supertest(shop.url)
        .get('/staff')
        .set({ 'X-Forwarded-For': address, ...basic(password) });
    // By then the attempts of earlier tests are forgotten.
    await sandbox.clock.advance(15 * MINUTE_MS);
    expect((await tryFrom('198.51.100.1', staffPassword)).status).toBe(200);
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, n) => tryFrom('198.51.100.2', `guess ${n}`)),
    );
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(2);
    const late = await tryFrom('198.51.100.2', staffPassword);
    expect(late.status).toBe(429);
    // Since the last of the tries, which a busy machine may have answered a while ago.
    const leftMs = Number(late.headers['retry-after']) * 1_000;
    expect(leftMs).toBeGreaterThan(14 * MINUTE_MS);
    expect(leftMs).toBeLessThanOrEqual(15 * MINUTE_MS);
    expect(late.text).toContain('Too many tries');
    // A request without a password is no attempt.
    expect((await supertest(shop.url).get('/staff')).status).toBe(401);

    for (let n = 0; n < 90; n += 1) await tryFrom(`198.18.0.${n}`, 'guess');
    expect((await tryFrom('198.51.100.3', staffPassword)).status).toBe(429);
    expect((await tryFrom('198.51.100.1', staffPassword)).status).toBe(200);
    await sandbox.clock.advance(15 * MINUTE_MS);
    expect((await tryFrom('198.51.100.2', staffPassword)).status).toBe(200);
  });
});
