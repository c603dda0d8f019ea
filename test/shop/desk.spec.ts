import { PaymentsOperator, PaymentsService } from '@holdfast/payments';

import { testAccount } from '../support/account.js';
import { breakTable } from '../support/broken-table.js';
import { Buyer } from '../support/buyer.js';
import { query, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { forgetPayment } from '../support/forget.js';
import { staffPassword, startTestShop, type TestShop } from '../support/shop.js';
import { Staff } from '../support/staff.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let test: TestShop;
let buyer: Buyer;
let staff: Staff;

async function openDesk(handlerAttempts = 1): Promise<void> {
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
/** Its parts are read one by one: what one of them shows may be new to the other. */
const deskShows = (...texts: string[]) =>
  eventually(
    () => staff.read('/staff'),
    (page) => texts.every((text) => page.includes(text)),
  );
const notesOf = (reference: string, count: number) =>
  eventually(
    async () => (await staff.order(reference)).notes,
    ({ length }) => length >= count,
  );

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

describe('the payments desk where all is well', () => {
  beforeAll(() => openDesk());
  afterAll(() => test.close());

  it('opens with the staff’s password, and not at all if none is set', async () => {
    expect((await staff.open('/staff')).status).toBe(200);
    for (const path of ['/staff', '/staff/books']) {
      const refused = await buyer.open(path);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Basic /),
      ]);
      expect((await new Staff(test.shop.url, `${staffPassword}x`).open(path)).status).toBe(401);
    }
    expect((await buyer.send('/staff/deliveries/retry')).status).toBe(401);
    const { url } = await test.addReplica({ staffPassword: null });
    expect((await new Staff(url).open('/staff')).status).toBe(404);
    expect((await new Staff(url, '').send('/staff/deliveries/retry')).status).toBe(404);
  });

  it('stays open in a browser that signed in before, while strangers lock it for everybody else, and after a restart', async () => {
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

  it('accepts no form of another site, although the browser sends the password with it', async () => {
    const forms = [
      '/staff/notes/1/done',
      '/staff/books',
      '/staff/deliveries/retry',
      '/staff/deliveries/shop.mark-paid/1/retry',
    ];
    for (const form of forms) {
      expect((await staff.send(form, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
      expect((await staff.send(form, { Origin: 'https://evil.example' })).status).toBe(403);
      const { status } = await staff.send(form, { 'Sec-Fetch-Site': 'same-origin' });
      expect(status).toBe(form === '/staff/books' ? 200 : 303);
    }
    // A link of another site opens a page that asks the payment service for nothing.
    expect(await staff.read('/staff/books')).not.toContain('compared:');
  });

  it('says that all is well if nothing waits', async () => {
    await becomes(await paid('milk-oolong'), 'paid');
    const page = await deskShows('All is well');
    for (const empty of [
      'Nothing to look at.',
      'No order is on hold.',
      'Every event has reached the shop.',
      'has only sent notifications of this shop’s payments.',
    ])
      expect(page).toContain(empty);
    expect(page.match(/<form [^>]*>/g)).toEqual(['<form method="post" action="/staff/books">']);
  });

  it('opens while the payment service is down, and says that the books cannot be compared', async () => {
    test.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 1_000 });
    expect(await staff.read('/staff')).toContain('All is well');
    expect(await staff.readSent('/staff/books')).toContain('Not compared');
    test.sandbox.faults.clear();
  });

  it('shows until when each order is held, and what happens to it then; so does the order', async () => {
    const harvest = await held('first-flush-darjeeling');
    const teapot = await held('stoneware-teapot');
    const desk = await staff.read('/staff');
    const expected = [
      [harvest, 'cancel', /Released by itself on \d+ \w+ \d{4}, [\d:]+ UTC, unless it ships before/],
      [teapot, 'flag', /The staff decide; they are reminded on \d+ \w+ \d{4}, [\d:]+ UTC/],
    ] as const;
    for (const [reference, policy, outlook] of expected) {
      const [payment] = (await staff.order(reference)).payments;
      expect(payment?.holdPolicy).toBe(policy);
      expect(desk).toMatch(new RegExp(`data-hold-policy="${policy}">.{1,80}Order ${reference}`));
      expect(desk).toMatch(outlook);
      const page = await staff.read(`/staff/orders/${reference}`);
      expect(page).toMatch(/<dt>Held until<\/dt> <dd>\d+ \w+ \d{4}, [\d:]+ UTC<\/dd>/);
      expect(page).toMatch(outlook);
    }
    expect(desk).toContain('All is well');
  });
});

describe('the payments desk', () => {
  beforeEach(() => openDesk());
  afterEach(() => test.close());

  it('has one note for a hold that nears its end, another for its end, and removes them when they are dealt with', async () => {
    const reference = await held('stoneware-teapot');
    await test.addReplica();
    await test.sandbox.clock.advance(6.5 * DAY_MS);
    const [note] = await notesOf(reference, 1);
    expect(note).toMatchObject({ event: 'hold.expiring', doneAt: null });
    expect(note?.text.replaceAll('\u00a0', ' ')).toMatch(
      /^The hold of 6 900,00 ₽ ends on .* UTC\. Ship the order before that, or cancel it\.$/,
    );
    const desk = await staff.read('/staff');
    expect(desk).toContain('1 note, 1 hold to decide about.');
    expect(desk).toContain('Now for the staff to decide');
    expect(await staff.read(`/staff/orders/${reference}`)).toContain('data-note="hold.expiring"');

    await test.sandbox.clock.advance(DAY_MS);
    await becomes(reference, 'payment_failed');
    const notes = await notesOf(reference, 2);
    expect(notes.map(({ event }) => event)).toEqual(['hold.expiring', 'hold.expired']);

    const forms = [...(await staff.read('/staff')).matchAll(/action="(\/staff\/notes\/\d+\/done)"/g)];
    expect(forms).toHaveLength(2);
    for (const [, form = ''] of forms) {
      expect((await staff.send(form)).headers.get('location')).toBe('/staff');
      expect((await staff.send(form)).status).toBe(303);
    }
    await deskShows('1 incident that nobody has resolved.');
    const operator = test.shop.app.get(PaymentsOperator, { strict: false });
    const [incident] = await operator.incidents();
    await operator.resolveIncident(incident?.id ?? '', { by: 'anna', note: 'The tea is still here.' });
    await deskShows('All is well');
    expect(await staff.read(`/staff/orders/${reference}`)).not.toContain('data-note');
    expect((await staff.send('/staff/notes/x/done')).status).toBe(404);
  });

  it('says that a pre-order is being released when its hold nears the end', async () => {
    const reference = await held('first-flush-darjeeling');
    await test.sandbox.clock.advance(6.5 * DAY_MS);
    await becomes(reference, 'canceled');
    const notes = await notesOf(reference, 1);
    expect(notes.map(({ text }) => text)).toEqual([expect.stringMatching(/It is being released\.$/)]);
  });

  it('does not say that all is well while notifications do not arrive', async () => {
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
    const desk = await deskShows('notifications do not arrive: polls found the last 3 changes.');
    expect(desk).toContain('Something needs you');
    expect(desk).toContain('no proxy in front is missing from trustedProxies');
  });

  it('does not say that all is well while a delivery fails, and its order says so before it is given up', async () => {
    await test.close();
    await openDesk(2);
    const table = await breakTable(test.databaseUrl, 'shop_order_effects');
    const reference = await paid('milk-oolong');
    const failing = await deskShows('1 delivery that fails', 'data-failing="shop.mark-paid"');
    expect(failing).toMatch(/violates check constraint.*failed after one try, run again at \d/);
    const buyers = async () => (await buyer.open(`/orders/${reference}`)).text();
    for (const page of [await buyers(), await staff.read(`/staff/orders/${reference}`)]) {
      expect(page).toContain('data-standing="delayed"');
      expect(page).not.toContain('One moment');
    }
    expect(await staff.read(`/staff/orders/${reference}`)).toContain('data-failing="shop.mark-paid"');
    await test.sandbox.clock.advance(60_000);
    await deskShows('1 delivery given up', 'data-parked="shop.mark-paid"');
    const given = await staff.read(`/staff/orders/${reference}`);
    expect(given).toMatch(/data-parked="shop\.mark-paid">.*violates check constraint/);
    expect(await buyers()).toContain('data-standing="delayed"');
    const form = /action="(\/staff\/deliveries\/shop\.mark-paid\/\d+\/retry)"/.exec(given)?.[1] ?? '';
    await table.fix();
    expect((await staff.send(form)).headers.get('location')).toBe('/staff?notice=runs_again');
    await becomes(reference, 'paid');
    await deskShows('All is well');
  });

  it('shows a delivery that was given up, and has it run again with one effect', async () => {
    const table = await breakTable(test.databaseUrl, 'shop_staff_notes');
    const reference = await held('stoneware-teapot');
    await test.sandbox.clock.advance(6.5 * DAY_MS);
    const desk = await deskShows('1 delivery given up', 'data-parked="shop.note-hold-expiring"');
    expect(desk).toContain('violates check constraint');
    expect(desk).toContain('given up after one try');
    expect(desk).not.toContain('Run all again');
    const form = /action="(\/staff\/deliveries\/shop\.note-hold-expiring\/\d+\/retry)"/.exec(desk)?.[1] ?? '';
    await table.fix();
    const answers = await Promise.all([staff.send(form), staff.send(form), staff.send(form)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    await notesOf(reference, 1);
    await deskShows('Every event has reached the shop.');
    const late = await staff.send(form);
    expect(late.headers.get('location')).toBe('/staff?notice=nothing_to_run');
    expect((await staff.order(reference)).notes).toHaveLength(1);
    expect((await staff.send('/staff/deliveries/shop.mark-paid/x/retry')).status).toBe(404);
  });

  it('shows what the database has forgotten, has it read again where that failed, and is well once it was', async () => {
    const reference = await buyer.newReference('milk-oolong');
    await buyer.checkOut(reference, 'milk-oolong');
    const [payment] = await test.shop.app.get(PaymentsService, { strict: false }).findByOrder(reference);
    test.sandbox.faults.order({ on: 'list', fault: 'forbidden', times: 1_000 });
    test.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
    await asOwner((given) => forgetPayment(given, payment?.id ?? ''));
    await asOwner(({ asOwner: run }) => run('UPDATE payments_commit_mark SET counter = 0'));
    const unread = await deskShows('data-note="database.rolled_back"', 'data-recovery="unread"');
    expect(unread).toContain('Something needs you');
    expect(unread).toContain('1 time of lost commits that could not be read at the service');
    expect(unread).toMatch(
      /may have forgotten what happened from .* UTC to .* UTC: the database is as it was before/,
    );
    expect(unread).toContain('Orders of that time');
    expect(await staff.read('/staff')).toContain('Something needs you');

    test.sandbox.faults.clear();
    test.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 1_000 });
    const form = /action="(\/staff\/recoveries\/[^"]+\/read-again)"/.exec(unread)?.[1] ?? '';
    expect((await staff.send(form)).headers.get('location')).toBe('/staff?notice=read_again');
    const open = await deskShows('data-recovery="open"', 'is tried again');
    expect(open).toContain('1 time of commits that may be lost, still to be read at the service');

    test.sandbox.faults.clear();
    expect((await staff.send(form)).status).toBe(303);
    const read = await deskShows('data-recovery="read"', 'Recorded again: 1 payment.');
    const again = await eventually(
      () => staff.read('/staff'),
      (page) => !page.includes('data-recovery="unread"'),
    );
    expect(again).not.toContain('read-again');
    expect((await staff.send(form)).headers.get('location')).toBe('/staff?notice=nothing_to_read');
    expect((await staff.order(reference)).payments).toMatchObject([{ serviceId: payment?.serviceId }]);

    await asOwner(({ asOwner: run }) => run('UPDATE payments_recoveries SET lease_until = NULL'));
    const note = /action="(\/staff\/notes\/\d+\/done)"/.exec(read)?.[1] ?? '';
    await staff.send(note);
    await deskShows('All is well');
  });

  it('has all that was given up run again at once', async () => {
    const table = await breakTable(test.databaseUrl, 'shop_order_effects');
    const references = [await paid('milk-oolong'), await paid('fireweed'), await paid('smoky-lapsang')];
    await deskShows('3 deliveries given up');
    await table.fix();
    const answer = await staff.send('/staff/deliveries/retry');
    expect(answer.headers.get('location')).toBe('/staff?notice=all_run_again');
    for (const reference of references) {
      const { effects } = await becomes(reference, 'paid');
      expect(effects.map(({ effect }) => effect)).toEqual(['paid']);
    }
    const again = await staff.send('/staff/deliveries/retry');
    expect(again.headers.get('location')).toBe('/staff?notice=nothing_to_run');
  });

  it('has a note for an order that is paid twice', async () => {
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
    const notes = await notesOf(reference, 1);
    expect(notes[0]).toMatchObject({ event: 'order.overpaid' });
    expect(notes[0]?.text).toMatch(/^More was paid than is due: .* Refund the excess\.$/);
  });

  it('shows a payment of another system, as foreign after its notification, and as missing in the books', async () => {
    await becomes(await paid('milk-oolong'), 'paid');
    expect(await staff.readSent('/staff/books')).toMatch(
      /The books agree.*Payments compared: 1\. Refunds compared: 0\./,
    );
    const id = await madeElsewhere();
    test.sandbox.payments.pay(id, { outcome: 'succeed' });
    await test.sandbox.clock.advance(2 * HOUR_MS);
    const desk = await deskShows(`data-foreign="${id}"`);
    expect(desk).toContain('All is well');
    const books = await staff.readSent('/staff/books');
    expect(books).toContain('The books differ: 1');
    expect(books).toMatch(/data-difference="missing_here">.*Payment: missing here.*succeeded 5,00 ₽/);
    await test.sandbox.clock.advance(DAY_MS);
    expect(await staff.readSent('/staff/books')).toMatch(/The books agree.*Payments compared: 0\./);
  });
});
