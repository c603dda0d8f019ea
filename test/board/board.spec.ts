import { BoardConfigurationError, PaymentsBoardModule } from '@holdfast/board';
import { formatAmount } from '@holdfast/payments';
import { RequestMethod } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { faultsOf } from '../../libs/board/src/board-option-faults.js';
import { amountText } from '../../libs/board/src/view/amount-text.js';
import { dayStart, durationText } from '../../libs/board/src/view/time-text.js';
import { httpAdapters } from '../hosts/host.js';
import { eventually } from '../support/eventually.js';
import { hidden, unchanged } from '../support/form-fields.js';
import { hasty, orderInput } from '../support/payments-host.js';
import { boardOptions, startBoardHost, type BoardHost } from './board-host.js';

const SECTIONS = [
  'overview',
  'payments',
  'holds',
  'deliveries',
  'deliveries?tab=failing',
  'receipts',
  'receipts?tab=prepaid',
  'notifications',
  'notifications?tab=over',
  'notifications?tab=foreign',
  'notifications?tab=refused',
  'requests',
  'books',
  'recoveries',
  'stores',
  'handlers',
];

/** What the table of a question says of the money: each part now and after that. */
const moneyIn = (page: string): string[][] =>
  [...page.matchAll(/<tr><th scope="row">(.*?)<\/tr>/g)].map(([, row = '']) =>
    row.split(/<[^>]*>/).filter((text) => text !== ''),
  );

describe.each(httpAdapters)('the board, on %s,', (_name, http) => {
  let board: BoardHost;
  beforeAll(async () => {
    board = await startBoardHost(http);
  });
  afterAll(() => board.close());

  it.each(SECTIONS)('shows %s to who may look, and to nobody else', async (path) => {
    const answer = await board.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const page = await answer.text();
    expect(page).not.toMatch(/<script(?! type="module" src="board\.js"><)| style="| on[a-z]+="|\[object/);
    expect((await board.get(path, null)).status).toBe(401);
  });

  it('leads from its address to the overview, by links that are all relative', async () => {
    const start = await fetch(`${board.host.url}/admin/payments`, {
      redirect: 'manual',
      headers: { 'x-staff': 'anna' },
    });
    expect(start.status).toBe(303);
    expect(start.headers.get('location')).toBe('payments/overview');
    const page = await (await board.get('overview')).text();
    const links = [...page.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, link]) => link ?? '');
    expect(links.filter((link) => link.startsWith('/') || link.includes('://'))).toEqual([]);
    expect((await board.get('board.css')).headers.get('content-type')).toContain('text/css');
    expect((await board.get('board.css', null)).status).toBe(401);
  });

  it('says that nothing needs a person, until something does, and where it is put right', async () => {
    expect(await (await board.get('overview')).text()).toContain('Nothing needs a person');
    board.handlers.refused.add('A-1');
    const payment = await board.paid('A-1');
    const page = await eventually(
      async () => (await board.get('overview')).text(),
      (text) => text.includes('1 thing needs a person'),
    );
    expect(page).toContain('1 delivery given up');
    expect(page).toContain('href="deliveries"');
    const deliveries = await (await board.get('deliveries')).text();
    expect(deliveries).toContain('no &lt;paper>');
    board.handlers.refused.clear();
    // The delivery says whose payment it is: what a form says of that, such as one of an older page, is nothing.
    const fields = {
      eventId: hidden(deliveries, 'eventId'),
      handlerId: hidden(deliveries, 'handlerId'),
      paymentId: '00000000-0000-4000-8000-000000000000',
    };
    const retried = await board.post('deliveries/retry', fields);
    expect([retried.status, retried.headers.get('location')]).toEqual([303, '../deliveries']);
    await eventually(
      async () => (await board.get('overview')).text(),
      (text) => text.includes('Nothing needs a person'),
    );
    const shown = await (await board.get(`payments/${payment.id}`)).text();
    for (const part of ['handled', `again for event ${fields.eventId}`]) expect(shown).toContain(part);
  });

  it('finds a payment by its order and shows all that is kept of it', async () => {
    const { id, serviceId } = await board.paid('A-2');
    const found = await (await board.get('payments?q=A-2')).text();
    expect(found).toContain(`href="payments/${id}?store=`);
    expect(found).toContain('1\u{202F}234,50\u{202F}₽');
    expect(await (await board.get('payments?q=A-none')).text()).toContain('No payment matches');
    const page = await (await board.get(`payments/${id}`)).text();
    for (const part of [
      serviceId ?? '',
      'https://shop.example/orders/A-2',
      'confirmed',
      'shop.mark-paid',
      'test money',
      'without 3-D Secure, RRN ',
    ])
      expect(page).toContain(part);
    expect((await board.get('payments/00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await board.get('payments?cursor=next')).status).toBe(400);
    expect((await board.get('payments?status=paid&from=yesterday')).status).toBe(200);
  });

  it('says why a payment was canceled, and what that means', async () => {
    const { id, serviceId } = await board.host.payments.create(orderInput());
    board.sandbox.payments.pay(serviceId ?? '', { outcome: 'decline', reason: 'call_issuer' });
    const page = await eventually(
      async () => (await board.get(`payments/${id}`)).text(),
      (text) => text.includes('Canceled by'),
    );
    expect(page).toContain('call_issuer <small>the bank refused and wants to be asked</small>');
  });

  it('refunds a part, once, and says who did it and why', async () => {
    const { id } = await board.paid('A-3');
    const question = await (await board.get(`payments/${id}/refund`)).text();
    expect(question).toContain('Nothing has been sent yet');
    const typed = {
      key: hidden(question, 'key'),
      seen: hidden(question, 'seen'),
      amount: '420,00',
      why: 'One tin was damaged',
    };
    const once = await (await board.post(`payments/${id}/refund`, typed)).text();
    expect(once).toContain('Refund 420,00\u{202F}₽ of 1\u{202F}234,50\u{202F}₽?');
    expect(once).toContain('The reason: One tin was damaged');
    expect(moneyIn(once)).toEqual([
      ['Captured', '1\u{202F}234,50\u{202F}₽', '1\u{202F}234,50\u{202F}₽'],
      ['Refunded', '0,00\u{202F}₽', '420,00\u{202F}₽'],
      ['Left', '1\u{202F}234,50\u{202F}₽', '814,50\u{202F}₽'],
    ]);
    expect(await board.host.payments.refunds(id)).toEqual([]);
    const form = unchanged(once);
    const answers = await Promise.all([
      board.post(`payments/${id}/refund`, form),
      board.post(`payments/${id}/refund`, form),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0]?.headers.get('location')).toMatch(new RegExp(`^../${id}`));
    const refunds = await board.host.payments.refunds(id);
    expect(refunds.map(({ amount }) => amount.value)).toEqual(['420.00']);
    const page = await (await board.get(`payments/${id}?t=people`)).text();
    expect(page).toContain('anna: noted');
    expect(page).toContain('Refunds 420,00\u{202F}₽: One tin was damaged');
    // With another key it is another refund, and that page has not seen this one.
    const stale = await board.post(`payments/${id}/refund`, {
      ...form,
      key: '3b0e8f52-9a7c-4f0d-8a61-7d1f2c5e9b04',
    });
    expect(stale.status).toBe(409);
    expect(await board.host.payments.refunds(id)).toHaveLength(1);
  });

  it.each([
    ['no reason', { why: '' }],
    ['more than is left', { amount: '1234.51' }],
    ['nothing', { amount: '0' }],
    ['no sum of money', { amount: '1e3' }],
    ['a key of its own making', { key: 'x' }],
  ])('refunds nothing for %s', async (_what, wrong) => {
    const { id } = await board.paid(`A-4 ${JSON.stringify(wrong)}`);
    const question = await (await board.get(`payments/${id}/refund`)).text();
    const form = {
      key: hidden(question, 'key'),
      seen: hidden(question, 'seen'),
      amount: '1.00',
      why: 'because',
    };
    expect((await board.post(`payments/${id}/refund`, { ...form, ...wrong })).status).toBe(422);
    expect(await board.host.payments.refunds(id)).toEqual([]);
  });

  it('captures a part of one hold and lets another go', async () => {
    const held = await board.paid('A-5', { capture: false });
    const question = await (await board.get(`payments/${held.id}/capture`)).text();
    const seen = { key: hidden(question, 'key'), seen: hidden(question, 'seen'), why: 'sent' };
    const typed = await board.post(`payments/${held.id}/capture`, { ...seen, amount: '1000' });
    const once = await typed.text();
    expect(once).toContain('Capture 1\u{202F}000,00\u{202F}₽ of 1\u{202F}234,50\u{202F}₽?');
    expect(once).toContain('The other 234,50\u{202F}₽ goes back to the buyer at once');
    expect(moneyIn(once)).toEqual([
      ['Held', '1\u{202F}234,50\u{202F}₽', '0,00\u{202F}₽'],
      ['Captured', '0,00\u{202F}₽', '1\u{202F}000,00\u{202F}₽'],
      ['Left', '0,00\u{202F}₽', '1\u{202F}000,00\u{202F}₽'],
    ]);
    expect((await board.post(`payments/${held.id}/capture`, unchanged(once))).status).toBe(303);
    expect(await board.host.payments.get(held.id)).toMatchObject({
      status: 'succeeded',
      capturedAmount: { value: '1000.00' },
    });
    expect((await board.post(`payments/${held.id}/cancel`, seen)).status).toBe(409);
    const other = await board.paid('A-6', { capture: false });
    const asked = await (await board.get(`payments/${other.id}/cancel`)).text();
    expect(moneyIn(asked)).toEqual([['Held', '1\u{202F}234,50\u{202F}₽', '0,00\u{202F}₽']]);
    const form = { key: hidden(asked, 'key'), seen: hidden(asked, 'seen'), why: 'sold out' };
    const twice = [
      await board.post(`payments/${other.id}/cancel`, form),
      await board.post(`payments/${other.id}/cancel`, form),
    ];
    expect(twice.map(({ status }) => status)).toEqual([303, 303]);
    expect((await board.host.payments.get(other.id)).status).toBe('canceled');
    expect(await (await board.get(`payments/${other.id}/cancel`)).text()).toContain(
      'This cannot be done now',
    );
  });

  it('does nothing for who may only look, nor for another site', async () => {
    const { id } = await board.paid('A-7');
    const page = await (await board.get(`payments/${id}`, 'reader')).text();
    expect(page).not.toMatch(/method="post"|Refund…/);
    expect((await board.get(`payments/${id}/refund`, 'reader')).status).toBe(403);
    const form = { why: 'x', amount: '1.00', key: '3b0e8f52-9a7c-4f0d-8a61-7d1f2c5e9b04' };
    expect((await board.post(`payments/${id}/refund`, form, { 'x-staff': 'reader' })).status).toBe(403);
    for (const path of [`payments/${id}/refund`, `payments/${id}/read`, 'deliveries/retry'])
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
        expect((await board.post(path, form, headers)).status).toBe(403);
    expect(await board.host.payments.refunds(id)).toEqual([]);
    expect((await board.operator.inspect(id)).timeline.map(({ name }) => name)).not.toContain(
      'payment.noted',
    );
  });

  it('keeps what was entered where it is not right', async () => {
    const { id } = await board.paid('A-10');
    const asked = await (await board.get(`payments/${id}/refund`)).text();
    const form = { key: hidden(asked, 'key'), seen: hidden(asked, 'seen'), amount: '420,00', why: ' ' };
    const again = await (await board.post(`payments/${id}/refund`, form)).text();
    expect(hidden(again, 'key')).toBe(form.key);
    expect(again).toMatch(/name="amount"[^>]* value="420,00"/);
  });

  it('runs nothing for a form that has lost its fields', async () => {
    const answer = await board.post('deliveries/retry');
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain('href="../board.css"');
  });

  it('leads nowhere else', async () => {
    const answer = await board.get('payments/..%2F..%2Flogout/x');
    expect(answer.headers.get('location') ?? '').not.toContain('../../');
    expect((await board.get('payments/%D0%B0%0d%0a/x')).status).toBeLessThan(500);
  });

  const lastId = '7adab4ff-23c6-4a73-803f-09957568a218';
  const cursors = [
    '0000-01-01T00:00:00Z',
    '2030-01-31T12:00:00+23:59',
    '9999-12-31T23:59:59-12:00',
    'infinity',
  ];
  it.each([
    'payments?from=0000-01-01',
    'payments?to=9999-12-31',
    'stores?cursor=1',
    ...['payments?', 'holds?', 'books?', 'receipts?tab=prepaid&'].flatMap((page) =>
      cursors.map((at) => `${page}cursor=${encodeURIComponent(`${at} ${lastId}`)}`),
    ),
  ])(
    'answers a day or a place that the database does not know as what was asked wrongly: %s',
    async (path) => {
      expect((await board.get(path)).status).toBe(400);
    },
  );

  it('reads a payment at the service again', async () => {
    const { id } = await board.paid('A-8');
    const answer = await board.post(`payments/${id}/read`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `../${id}`]);
  });
});

describe.each(httpAdapters)('a board below a global prefix, on %s,', (_name, http) => {
  it.each<[string, Parameters<typeof startBoardHost>[2]]>([
    ['that the host sets', { configure: (app) => app.setGlobalPrefix('api'), base: 'api/admin/payments' }],
    [
      'from which it is excluded',
      {
        configure: (app) =>
          app.setGlobalPrefix('api', {
            exclude: [{ path: 'admin/payments/{*path}', method: RequestMethod.ALL }],
          }),
        base: 'admin/payments',
      },
    ],
  ])('%s, has all its pages', async (_what, settings) => {
    const board = await startBoardHost(http, {}, settings);
    try {
      expect((await board.get('overview')).status).toBe(200);
      expect((await board.get('board.css')).status).toBe(200);
      expect((await board.post('deliveries/retry', { all: 'yes' })).status).toBe(303);
    } finally {
      await board.close();
    }
  });
});

describe('a board whose service answers no refund', () => {
  let board: BoardHost;
  beforeAll(async () => {
    board = await startBoardHost(() => new ExpressAdapter(), {}, { payments: hasty });
  });
  afterAll(() => board.close());

  it('says that the outcome is not known, and offers what is left besides', async () => {
    const { id } = await board.paid('A-1', { value: '1000.00' });
    const asked = await (await board.get(`payments/${id}/refund`)).text();
    const form = {
      key: hidden(asked, 'key'),
      seen: hidden(asked, 'seen'),
      amount: '400',
      why: 'because',
      sum: '400.00',
    };
    for (const on of ['refund', 'list_refunds'] as const)
      board.sandbox.faults.order({ on, fault: 'reset_after_commit', times: 1_000 });
    const answer = await board.post(`payments/${id}/refund`, form);
    expect(answer.status).toBe(202);
    expect(await answer.text()).toContain('Do not ask again');
    const again = await (await board.get(`payments/${id}/refund`)).text();
    expect(again).toMatch(/name="amount"[^>]* value="600\.00"/);
  });

  it('shows what is not known as not known', async () => {
    await board.database.asOwner('ALTER TABLE payments_handlers RENAME TO gone');
    const answer = await board.get('overview');
    await board.database.asOwner('ALTER TABLE gone RENAME TO payments_handlers');
    const page = await answer.text();
    expect(page).toContain('Not known');
    expect(page).toContain('what waits is not known');
    expect(page).not.toContain('Nothing needs a person');
  });
});

describe('a board', () => {
  it('does not start without a guard, and says all that is wrong with its options', () => {
    expect(() => PaymentsBoardModule.forRoot({ ...boardOptions, path: '/admin/' })).toThrow(
      BoardConfigurationError,
    );
    expect(faultsOf({ path: '/admin/', actions: () => 'all', timeZone: 'Mars/Base' })).toEqual([
      expect.stringMatching(/^path must be/),
      expect.stringMatching(/^guard is required/),
      expect.stringMatching(/^actor is required/),
      expect.stringMatching(/^timeZone must be/),
    ]);
  });

  it.each([
    ['2026-11-23', 'UTC', '2026-11-23T00:00:00.000Z'],
    ['2026-11-23', 'Europe/Moscow', '2026-11-22T21:00:00.000Z'],
    // The clocks go back, and forward.
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    // At midnight itself: an hour comes twice, and an hour is left out.
    ['2026-04-05', 'America/Santiago', '2026-04-05T04:00:00.000Z'],
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ])('begins %s in %s at %s', (day, timeZone, at) => {
    expect(dayStart(day, timeZone).toISOString()).toBe(at);
  });

  it.each([
    [0, '0,00\u{202F}₽'],
    [123_450, '1\u{202F}234,50\u{202F}₽'],
    [100_000_000_05, '100\u{202F}000\u{202F}000,05\u{202F}₽'],
  ])('writes %s kopecks as %s', (minor, text) => {
    expect(amountText(formatAmount(minor))).toBe(text);
  });

  it.each([
    [41_999, '41 s'],
    [300_000, '5 min'],
    [7_260_000, '2 h 1 min'],
    [7_200_000, '2 h'],
    [183_600_000, '2 d 3 h'],
  ])('writes %s ms as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
