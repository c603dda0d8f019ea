import { ExpressAdapter } from '@nestjs/platform-express';
import { startBoardHost, type BoardHost } from '../board/board-host.js';
import { eventually } from '../support/eventually.js';
import { hidden } from '../support/form-fields.js';

const DAY_MS = 86_400_000;

describe('the books on the board', () => {
  let board: BoardHost;
  beforeEach(async () => {
    board = await startBoardHost(() => new ExpressAdapter());
  });
  afterEach(() => board.close());

  const page = async (path: string, staff?: string) => (await board.get(path, staff)).text();
  const day = (text: string, name: string) =>
    new RegExp(`name="${name}" type="date" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const form = async () => {
    const text = await page('books');
    return { asof: hidden(text, 'asof'), from: day(text, 'from'), to: day(text, 'to'), store: '' };
  };
  const shows = (path: string, part: string) =>
    eventually(
      () => page(path),
      (text) => text.includes(part),
    );

  it('are compared by a form that may be sent twice, and what differs is listed with what helps', async () => {
    expect(await page('books')).toContain('Not compared yet');
    expect(await page('overview')).toContain('Not compared yet');
    const { id, serviceId } = await board.paid('A-1');
    await board.paid('A-2');
    await board.database.asOwner(
      `UPDATE payments_payments SET captured_minor = 100000 WHERE service_id = '${serviceId}'`,
    );
    const fields = await form();
    const answers = [await board.post('books', fields), await board.post('books', fields)];
    const [first = '', second = ''] = answers.map((answer) => answer.headers.get('location') ?? '');
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(first).toMatch(/^books\/[0-9a-f-]{36}$/);
    const text = await shows(first, '1 differ');
    for (const part of [
      `payments/${id}`,
      serviceId ?? '',
      'succeeded 1\u{202F}000,00\u{202F}₽',
      'succeeded 1\u{202F}234,50\u{202F}₽',
      'amount',
      'Re-read the payment.',
      'asked for by anna',
    ])
      expect(text).toContain(part);
    await shows(second, '1 differ');
    expect(await page('books')).toContain(first);
    expect(await page('overview')).toContain('1 differ');
  });

  it('show how far a comparison is, and that another one has to wait', async () => {
    board.sandbox.faults.order({ on: 'list', fault: 'stall', times: 1_000 });
    const fields = await form();
    const open = (await board.post('books', fields)).headers.get('location') ?? '';
    expect(await page(open)).toContain('being compared');
    expect(await page(open)).toContain('Look again');
    const other = await board.post('books', { ...fields, from: fields.to });
    expect(other.status).toBe(409);
    expect(await other.text()).toContain(`href="${open}"`);
    board.sandbox.faults.clear();
    expect(await shows(open, 'Nothing differs')).not.toContain('Look again');
  });

  it('say that a comparison was broken off, and go on from there', async () => {
    board.sandbox.faults.order({ on: 'list', fault: 'forbidden', times: 1_000 });
    const fields = await form();
    const open = (await board.post('books', fields)).headers.get('location') ?? '';
    const text = await shows(open, 'broken off');
    expect(text).toContain('403');
    const next = /href="\.\.\/(books\?[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(day(await page(next), 'from')).toBe(fields.from);
    expect(await page(open, 'reader')).not.toContain('Go on from there');
  });

  it.each([
    ['no day', { from: '' }],
    ['a day that is none', { to: '2030-02-31x' }],
    ['days in the wrong order', { from: '2026-02-02', to: '2026-02-01' }],
    ['a time to come', { from: '2100-01-01', to: '2100-01-02' }],
    ['a page of its own making', { asof: 'now' }],
  ])('are not compared for %s', async (_what, wrong) => {
    expect((await board.post('books', { ...(await form()), ...wrong })).status).toBe(422);
    expect((await board.operator.keptAudits()).items).toEqual([]);
  });

  it('are not compared by whoever may only look, nor by another site, nor in a store that there is not', async () => {
    const fields = await form();
    expect(await page('books', 'reader')).not.toContain('method="post"');
    const refused = [
      await board.post('books', fields, { 'x-staff': 'reader' }),
      await board.post('books', fields, { 'sec-fetch-site': 'cross-site' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect((await board.post('books', { ...fields, store: crypto.randomUUID() })).status).toBe(404);
    const ahead = new Date(Date.now() + DAY_MS).toISOString();
    expect((await board.post('books', { ...fields, asof: ahead, to: '2100-01-01' })).status).toBe(400);
    expect((await board.operator.keptAudits()).items).toEqual([]);
    expect(await page(`books/${crypto.randomUUID()}`)).toContain('There is no such comparison');
  });
});
