import { httpAdapters } from '../hosts/host.js';
import { eventually } from '../support/eventually.js';
import { startBoardHost, type BoardHost } from './board-host.js';

describe.each(httpAdapters)('the renewal of the board, on %s,', (_name, http) => {
  let board: BoardHost;
  beforeAll(async () => {
    board = await startBoardHost(http);
  });
  afterAll(() => board.close());

  const ask = (path: string, tag: string) =>
    fetch(`${board.host.url}/admin/payments/${path}`, {
      headers: { 'x-staff': 'anna', 'if-none-match': tag },
    });
  const tagOf = async (path: string) => (await board.get(path)).headers.get('etag') ?? '';

  it('is answered without a page while nothing but the time is different', async () => {
    const answer = await eventually(
      async () => ask('overview', await tagOf('overview')),
      ({ status }) => status === 304,
    );
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('board-as-of')).toMatch(/^20\S+Z \d\d:\d\d:\d\d$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('is answered with the page as soon as something is different', async () => {
    const tag = await tagOf('payments');
    await board.paid('R-1');
    const answer = await ask('payments', tag);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('R-1');
    expect(answer.headers.get('etag')).not.toBe(tag);
  });

  it('is answered with the page as soon as what waits is not known, and once it is known again', async () => {
    const backlog = board.operator.backlog.bind(board.operator);
    const tagWhile = (isKnown: boolean) => {
      board.operator.backlog = isKnown ? backlog : () => Promise.reject(new Error('no answer'));
      return tagOf('payments');
    };
    try {
      const [known, unknown] = [await tagWhile(true), await tagWhile(false)];
      const answer = await ask('payments', known);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('what waits is not known');
      await tagWhile(true);
      expect((await ask('payments', unknown)).status).toBe(200);
    } finally {
      board.operator.backlog = backlog;
    }
  });

  it('is for nobody who may not look', async () => {
    const tag = await tagOf('overview');
    const headers = { 'if-none-match': tag };
    expect((await fetch(`${board.host.url}/admin/payments/overview`, { headers })).status).toBe(401);
    expect((await board.get('board.js', null)).status).toBe(401);
  });

  it('runs one script of the board’s own, on pages that ask for nothing', async () => {
    const { id } = await board.paid('R-2');
    const script = await board.get('board.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    for (const path of ['overview', `payments/${id}`]) {
      const page = await board.get(path);
      expect(page.headers.get('content-security-policy')).toContain(
        "; script-src 'self'; connect-src 'self'",
      );
      expect((await page.text()).match(/<script[^>]*>/g)).toEqual([
        `<script type="module" src="${path === 'overview' ? '' : '../'}board.js">`,
      ]);
    }
    const pages = [
      await board.get(`payments/${id}/refund`),
      await board.get('payments/none'),
      await board.post(`payments/${id}/show`),
      await board.post('books', {}),
    ];
    for (const page of pages) {
      expect(page.headers.get('content-security-policy')).not.toContain('script-src');
      expect(page.headers.get('etag') ?? '').not.toMatch(/^W\/"[\w-]{22}"$/);
      expect(await page.text()).not.toContain('<script');
    }
  });
});
