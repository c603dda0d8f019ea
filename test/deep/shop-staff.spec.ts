import { PaymentsService } from '@holdfast/payments';
import { WAITS_FOR_STAFF } from '../../src/orders/shop-order.entity.js';
import { testAccount } from '../support/account.js';
import { breakTable } from '../support/broken-table.js';
import { Buyer } from '../support/buyer.js';
import { createTestDatabase, query, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { forgetPayment } from '../support/forget.js';
import { unchanged } from '../support/form-fields.js';
import { staffPassword, startTestShop, type TestShop } from '../support/shop.js';
import { Staff } from '../support/staff.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let test: TestShop;
let buyer: Buyer;
let staff: Staff;

async function openShop(handlerAttempts = 1): Promise<void> {
  test = await startTestShop({ handlerAttempts });
  // These tests cause errors on purpose, and they are logged as errors.
  test.shop.app.useLogger(false);
  buyer = new Buyer(test.shop.url);
  staff = new Staff(test.shop.url);
}

/** What the database forgets. */
const asOwner = <Result>(run: (given: Pick<TestDatabase, 'asOwner'>) => Promise<Result>): Promise<Result> =>
  run({ asOwner: (sql, parameters) => query(test.databaseUrl, sql, parameters) });
const becomes = (reference: string, state: string) => staff.orderBecomes(reference, state);
async function paid(productSlug: string): Promise<string> {
  const reference = await buyer.newReference(productSlug);
  await buyer.checkOut(reference, productSlug);
  const serviceId = (await staff.order(reference)).payments[0]?.serviceId ?? '';
  test.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
  return reference;
}

async function held(productSlug: string): Promise<string> {
  const reference = await paid(productSlug);
  await becomes(reference, 'held');
  return reference;
}

/** A payment that another system made in the same store. */
async function madeElsewhere(): Promise<string> {
  const { shopId, secretKey } = testAccount;
  const answer = await fetch(`${test.sandbox.url}/v3/payments`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`,
      'Idempotence-Key': crypto.randomUUID(),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      amount: { value: '5.00', currency: 'RUB' },
      capture: true,
      confirmation: { type: 'redirect', return_url: 'https://elsewhere.example/' },
    }),
  });
  const { id }: { id: string } = JSON.parse(await answer.text());
  return id;
}

describe('the staff', () => {
  beforeAll(() => openShop());
  afterAll(() => test.close());

  it('come in with their password, and not at all if none is set', async () => {
    expect((await staff.open('/staff')).status).toBe(200);
    for (const path of ['/staff', '/staff/payments/overview', '/staff/payments/board.css']) {
      const refused = await buyer.open(path);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Basic /),
      ]);
      expect((await new Staff(test.shop.url, `${staffPassword}x`).open(path)).status).toBe(401);
    }
    expect((await buyer.send('/staff/payments/deliveries/retry')).status).toBe(401);
    const { url } = await test.addReplica({ staffPassword: null });
    expect((await new Staff(url).open('/staff')).status).toBe(404);
    expect((await new Staff(url, '').send('/staff/payments/deliveries/retry')).status).toBe(404);
  });

  it('come in by a browser that signed in before, while strangers lock everybody else out, and after a restart', async () => {
    const first = await test.addReplica();
    const open = async (at: string, from: string, headers: Record<string, string> = {}) =>
      fetch(`${at}/staff`, { headers: { 'X-Forwarded-For': from, ...headers } });
    const Authorization = `Basic ${Buffer.from(`anna:${staffPassword}`).toString('base64')}`;
    const signedIn = await open(first.url, '192.0.2.1', { Authorization });
    const [set = ''] = signedIn.headers.getSetCookie();
    expect(set).toMatch(/^staff_browser=[^;]+; Max-Age=31536000; Path=\/staff;.*HttpOnly; SameSite=Lax/);
    const Cookie = set.split(';')[0] ?? '';
    await first.close();
    const restarted = await test.addReplica();
    for (let network = 1; network <= 10; network += 1)
      for (let times = 0; times < 10; times += 1)
        await open(restarted.url, `198.51.100.${network}`, { Authorization: 'Basic eDp5' });
    expect((await open(restarted.url, '192.0.2.9', { Authorization })).status).toBe(429);
    expect((await open(restarted.url, '192.0.2.9', { Authorization, Cookie })).status).toBe(200);
    const planted = `staff_browser=x; ${Cookie}`;
    expect((await open(restarted.url, '192.0.2.9', { Authorization, Cookie: planted })).status).toBe(200);
    const forged = Cookie.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'));
    expect((await open(restarted.url, '192.0.2.9', { Authorization, Cookie: forged })).status).toBe(429);
  });

  it('send no form of another site, although the browser sends the password with it', async () => {
    const forms = ['deliveries/retry', 'books', 'recoveries/read-again'].map(
      (form) => `/staff/payments/${form}`,
    );
    forms.push('/staff/orders/ABCDEFGHJKMN/ship');
    for (const form of forms) {
      expect((await staff.send(form, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
      expect((await staff.send(form, { Origin: 'https://evil.example' })).status).toBe(403);
      expect((await staff.send(form, { 'Sec-Fetch-Site': 'same-origin' })).status).not.toBe(403);
    }
  });

  it('are led to the board, which keeps its own policy and opens while the service is down', async () => {
    expect(await staff.read('/staff')).toContain('href="/staff/payments/overview"');
    test.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 1_000 });
    const page = await staff.open('/staff/payments/overview');
    test.sandbox.faults.clear();
    expect(await page.text()).toContain('Nothing needs a person');
    // That of the shop's own pages would let the board load what it has no need of.
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; form-action 'self'/,
    );
  });

  it('see which orders wait to be shipped or handed over, until they are', async () => {
    expect(await staff.read('/staff')).toContain('No order waits to be shipped or handed over.');
    await becomes(await paid('milk-oolong'), 'paid');
    const teapot = await held('stoneware-teapot');
    const cup = await paid('stoneware-cup');
    await becomes(cup, 'paid');
    const waiting = async () =>
      [...(await staff.read('/staff')).matchAll(/href="(\/staff\/orders\/\w+)">[^<]*<\/a>: ([^<]*)</g)].map(
        ([, address, act]) => [address, act],
      );
    expect(await waiting()).toEqual([
      [`/staff/orders/${teapot}`, 'Ship it, or cancel it'],
      [`/staff/orders/${cup}`, 'Hand it over'],
    ]);
    await staff.ship(teapot);
    await becomes(teapot, 'paid');
    await staff.send(`/staff/orders/${cup}/hand-over`);
    expect(await waiting()).toEqual([]);
  });

  it('see the oldest hundred of them, and that there are more', async () => {
    const add = (from: number, to: number) =>
      query(
        test.databaseUrl,
        `INSERT INTO shop_orders (reference, product_slug, quantity, buyer_name, buyer_email, total_minor, capture, in_advance, state, created_at)
         SELECT 'WAITS' || i, 'milk-oolong', 1, 'Anna', 'anna@shop.example', 100, false, false, 'held', now() - interval '1 day' + i * interval '1 s'
         FROM generate_series(${from}, ${to}) i`,
      );
    const listed = async () => {
      const page = await staff.read('/staff');
      return [page.match(/WAITS\d+<|WAITS\d+:/g)?.length, page.includes('These are the oldest')];
    };
    await add(1, 100);
    expect(await listed()).toEqual([100, false]);
    await add(101, 101);
    expect(await listed()).toEqual([100, true]);
    await query(test.databaseUrl, `DELETE FROM shop_orders WHERE reference LIKE 'WAITS%'`);
  });

  it('find those among 20,000 orders by an index of their own, though nobody analyzed the table', async () => {
    const large = await createTestDatabase();
    try {
      await query(
        large.url,
        `INSERT INTO shop_orders (reference, product_slug, quantity, buyer_name, buyer_email, total_minor, capture, in_advance, state, handed_over_at)
         SELECT 'S-' || i, 'milk-oolong', 1, 'Anna', 'anna@shop.example', 100, true, true, 'paid', CASE WHEN i > 2 THEN now() END
         FROM generate_series(1, 20000) i`,
      );
      const plan = await query<{ 'QUERY PLAN': string }>(
        large.url,
        `EXPLAIN (ANALYZE, TIMING OFF) SELECT * FROM shop_orders WHERE ${WAITS_FOR_STAFF} ORDER BY created_at LIMIT 101`,
      );
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      // Those that wait and no others: how many were ever sold does not count.
      expect(text).toMatch(/shop_orders_waiting_idx .*rows=2(\.00)? loops=1/);
      expect(text).not.toMatch(/Seq Scan|Rows Removed/);
    } finally {
      await large.drop();
    }
  });

  it('are led from an order to its payment on the board, and back', async () => {
    const reference = await held('stoneware-teapot');
    const order = await staff.read(`/staff/orders/${reference}`);
    const [payment] = (await staff.order(reference)).payments;
    expect(order).toContain(`href="/staff/payments/payments/${payment?.id}"`);
    const page = await staff.board(`payments/${payment?.id}`);
    expect(page).toContain(`href="/staff/orders/${reference}"`);
    expect(await (await buyer.open(`/orders/${reference}`)).text()).not.toContain('/staff');
  });
});

describe('on the board of the shop', () => {
  beforeEach(() => openShop());
  afterEach(() => test.close());

  const wellAgain = () => staff.boardShows('overview', 'Nothing needs a person');

  it('a hold that nears its end needs a person, and is an incident once it ran out', async () => {
    const reference = await held('stoneware-teapot');
    await test.addReplica();
    await test.sandbox.clock.advance(6.5 * DAY_MS);
    await staff.boardShows('overview', '1 hold to decide about');
    await test.sandbox.clock.advance(DAY_MS);
    await becomes(reference, 'payment_failed');
    expect(await staff.boardShows('incidents', 'hold ran out')).toContain(reference);
    const why = 'The tea is still here';
    expect((await staff.decide('incidents', 'resolve-incident', { why })).status).toBe(303);
    await wellAgain();
    const { timeline = [] } = (await staff.order(reference)).payments[0] ?? {};
    expect(timeline.filter(({ name }) => name.startsWith('hold.')).map(({ name }) => name)).toEqual([
      'hold.expiring',
      'hold.expired',
    ]);
  });

  it('nothing is well while notifications do not arrive', async () => {
    test.sandbox.setNotifyUrl(null);
    for (const product of ['milk-oolong', 'fireweed', 'smoky-lapsang']) {
      const reference = await paid(product);
      await eventually(
        async () => {
          await test.sandbox.clock.advance(60_000);
          return staff.order(reference);
        },
        ({ state }) => state === 'paid',
      );
    }
    const page = await staff.boardShows('overview', 'Notifications do not arrive');
    expect(page).not.toContain('Nothing needs a person');
    expect(page).toContain('no proxy in front is missing from trustedProxies');
  });

  it('a delivery that fails is shown before it is given up, and its order as delayed', async () => {
    await test.close();
    await openShop(2);
    const table = await breakTable(test.databaseUrl, 'shop_order_effects');
    const reference = await paid('milk-oolong');
    const failing = await staff.boardShows('deliveries?tab=failing', 'shop.mark-paid');
    expect(failing).toContain('violates check constraint');
    const delayed = async () => {
      for (const path of [`/orders/${reference}`, `/staff/orders/${reference}`]) {
        const page = await (await staff.open(path)).text();
        expect(page).toContain('data-standing="delayed"');
        expect(page).not.toContain('One moment');
      }
    };
    await delayed();
    await test.sandbox.clock.advance(60_000);
    await staff.boardShows('overview', '1 delivery given up');
    await delayed();
    await table.fix();
    expect((await staff.send('/staff/payments/deliveries/retry', {}, { all: 'yes' })).status).toBe(303);
    await becomes(reference, 'paid');
    await wellAgain();
  });

  it('a delivery that was given up runs again with one effect, however often its button is pressed', async () => {
    const table = await breakTable(test.databaseUrl, 'shop_order_effects');
    const reference = await paid('milk-oolong');
    await staff.boardShows('deliveries', 'shop.mark-paid', 'violates check constraint');
    const [payment] = (await staff.order(reference)).payments;
    const form = unchanged(await staff.board(`payments/${payment?.id}`));
    await table.fix();
    const retry = () => staff.send('/staff/payments/deliveries/retry', {}, form);
    const answers = await Promise.all([retry(), retry(), retry()]);
    for (const { status } of answers) expect([303, 409]).toContain(status);
    expect(answers.map(({ status }) => status)).toContain(303);
    const { effects } = await becomes(reference, 'paid');
    expect(effects.map(({ effect }) => effect)).toEqual(['paid']);
    await wellAgain();
    const late = await retry();
    expect([late.status, (await late.text()).includes('Nothing to run')]).toEqual([409, true]);
  });

  it('all that was given up runs again at once', async () => {
    const table = await breakTable(test.databaseUrl, 'shop_order_effects');
    const references = [await paid('milk-oolong'), await paid('fireweed'), await paid('smoky-lapsang')];
    await staff.boardShows('overview', '3 deliveries given up');
    await table.fix();
    const all = () => staff.send('/staff/payments/deliveries/retry', {}, { all: 'yes' });
    expect((await all()).status).toBe(303);
    for (const reference of references) {
      const { effects } = await becomes(reference, 'paid');
      expect(effects.map(({ effect }) => effect)).toEqual(['paid']);
    }
    expect((await all()).status).toBe(303);
    await wellAgain();
  });

  it('what the database has forgotten is told, read again where that failed, and well once it was', async () => {
    const reference = await buyer.newReference('milk-oolong');
    await buyer.checkOut(reference, 'milk-oolong');
    const [payment] = await test.shop.app.get(PaymentsService, { strict: false }).findByOrder(reference);
    test.sandbox.faults.order({ on: 'list', fault: 'forbidden', times: 1_000 });
    test.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
    await asOwner((given) => forgetPayment(given, payment?.id ?? ''));
    await asOwner(({ asOwner: run }) => run('UPDATE payments_commit_mark SET counter = 0'));
    await staff.boardShows('overview', '1 time of lost commits that could not be read at the service');
    const form = unchanged(await staff.boardShows('recoveries', 'Read again'));
    test.sandbox.faults.clear();
    test.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 1_000 });
    const readAgain = () => staff.send('/staff/payments/recoveries/read-again', {}, form);
    expect((await readAgain()).status).toBe(303);
    await staff.boardShows('overview', '1 time of commits that may be lost, still to be read at the service');
    test.sandbox.faults.clear();
    expect((await readAgain()).status).toBe(303);
    await eventually(
      () => staff.board('recoveries'),
      (page) => !page.includes('Read again'),
    );
    expect((await readAgain()).status).toBe(409);
    expect((await staff.order(reference)).payments).toMatchObject([{ serviceId: payment?.serviceId }]);
    await asOwner(({ asOwner: run }) => run('UPDATE payments_recoveries SET lease_until = NULL'));
    await wellAgain();
  });

  it('an order that is paid twice is an incident', async () => {
    const reference = await buyer.newReference('milk-oolong');
    await buyer.checkOut(reference, 'milk-oolong');
    const [old] = (await staff.order(reference)).payments;
    const second = await test.shop.app.get(PaymentsService, { strict: false }).create({
      order: { reference },
      amount: { value: '1000.00', currency: 'RUB' },
      returnUrl: 'https://shop.example/',
      replace: true,
    });
    for (const serviceId of [second.serviceId, old?.serviceId])
      test.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    expect(await staff.boardShows('incidents', reference)).toContain('overpaid');
  });

  it('a payment of another system is foreign after its notification, and missing in the books', async () => {
    await becomes(await paid('milk-oolong'), 'paid');
    expect(await staff.compareBooks()).toContain('Nothing differs');
    const id = await madeElsewhere();
    test.sandbox.payments.pay(id, { outcome: 'succeed' });
    await test.sandbox.clock.advance(2 * HOUR_MS);
    await staff.boardShows('notifications?tab=foreign', id);
    await wellAgain();
    const books = await staff.compareBooks();
    expect(books).toContain('1 differ');
    expect(books).toMatch(/missing here.*succeeded 5,00.₽/);
    expect(books).toContain(id);
  });
});
