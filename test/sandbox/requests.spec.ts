import { exchangePrinter, type Exchange, type RequestReport, type Sandbox } from '@holdfast/sandbox';
import { once } from 'node:events';
import http from 'node:http';
import { canaries, canariesIn } from '../support/canaries.js';
import { eventually } from '../support/eventually.js';
import { app } from './oauth-support.js';
import {
  basicOf,
  control,
  get,
  held,
  order,
  pending,
  post,
  realShop,
  receiver,
  shop,
  started,
} from './support.js';

const card = { number: canaries.cardNumber, expiry_year: '2039', expiry_month: '12', csc: canaries.csc };
const spaced = card.number.replace(/(.{4})(.{4})(.{4})/, '$1%20$2-$3%20');

async function requestsPage(sandbox: Sandbox): Promise<string> {
  return (await fetch(`${sandbox.url}/sandbox/pages/requests`)).text();
}

/** Once all of them are over on this side too. */
function requestsOf(sandbox: Sandbox): Promise<readonly RequestReport[]> {
  return eventually(
    () => Promise.resolve(sandbox.requests.list()),
    (requests) => requests.every(({ end }) => end !== 'waiting'),
  );
}

describe('the list of requests', () => {
  it('has each with its path, key, payment and answer, newest first', async () => {
    const sandbox = await started();
    const { body } = await post(sandbox, '/v3/payments', 'key-1', order());
    const id = String(body['id']);
    await get(sandbox, `/v3/payments/${id}?x=1`);
    await post(sandbox, '/v3/payments', 'key-2', { amount: 1 });
    const { accountId } = sandbox.stores.list()[0] ?? {};
    const about = { accountId, end: 'answered', fault: null, kind: 'request' };
    const requests = await requestsOf(sandbox);
    expect(requests).toMatchObject([
      {
        ...about,
        method: 'POST',
        path: '/v3/payments',
        operation: 'create',
        requestKey: 'key-2',
        status: 400,
        paymentId: null,
      },
      {
        ...about,
        method: 'GET',
        path: `/v3/payments/${id}`,
        operation: 'read',
        requestKey: null,
        status: 200,
        paymentId: id,
      },
      { ...about, method: 'POST', operation: 'create', requestKey: 'key-1', status: 200, paymentId: id },
    ]);
    expect((await control(sandbox, '/requests', undefined, 'GET')).body['items']).toEqual(requests);
    const text = await requestsPage(sandbox);
    expect(text).toMatch(/POST \/v3\/payments<\/code>[^]*400[^]*key-2[^]*GET \/v3\/payments\//);
    expect(text).toContain(`href="/sandbox/pages/payments/${id}"`);
  });

  it('has those that no endpoint served, and those to the token endpoint', async () => {
    const sandbox = await started({ apps: [app] });
    await get(sandbox, '/v3/payments', basicOf({ ...shop, shopId: 'other' }));
    await get(sandbox, '/v3/nothing');
    await fetch(`${sandbox.url}/oauth/v2/token`, {
      method: 'POST',
      body: new URLSearchParams({ code: 'x' }),
    });
    expect(await requestsOf(sandbox)).toMatchObject([
      { path: '/oauth/v2/token', operation: 'token', status: 401, accountId: null },
      { path: '/v3/nothing', operation: null, status: 404 },
      { path: '/v3/payments', operation: null, status: 401, accountId: null },
    ]);
  });

  it.each([
    ['reset_before_commit', null, 'cut'],
    ['reset_after_commit', null, 'cut'],
    ['truncated_body', 200, 'cut'],
    ['error_500_after_commit', 500, 'answered'],
    ['accepted', 202, 'answered'],
  ] as const)('says that %s hit it, and what came of that', async (fault, status, end) => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'create', fault });
    await post(sandbox, '/v3/payments', 'key', order()).catch(() => undefined);
    expect(await requestsOf(sandbox)).toMatchObject([{ fault, status, end }]);
    expect(await requestsPage(sandbox)).toMatch(
      new RegExp(`</svg>${fault}</span>[^]*(the payment was created|create a payment later)`),
    );
  });

  it('shows a request while its answer is awaited', async () => {
    const sandbox = await started();
    sandbox.faults.order({ on: 'create', fault: 'stall' });
    const reply = post(sandbox, '/v3/payments', 'key', order());
    const request = await eventually(
      () => Promise.resolve(sandbox.requests.list()[0]),
      (found) => found?.fault === 'stall',
    );
    expect(request).toMatchObject({ end: 'waiting', status: null });
    expect(await requestsPage(sandbox)).toContain('no answer yet');
    sandbox.faults.clear();
    expect((await reply).status).toBe(200);
  });

  it('has no credentials, no card and no CSC in it, wherever the client put them', async () => {
    const sandbox = await started(realShop);
    const data = { payment_method_data: { type: 'bank_card', card } };
    await post(sandbox, '/v3/payments', card.number, order(data), basicOf(realShop));
    await get(sandbox, `/v3/payments/${card.number}?csc=${card.csc}`, basicOf(realShop));
    await get(sandbox, `/v3/payments/${spaced}?csc=${card.csc}`, basicOf(realShop));
    await post(sandbox, '/v3/refunds', 'r', { payment_id: card.number }, basicOf(realShop));
    const kept = JSON.stringify(sandbox.requests.list()) + (await requestsPage(sandbox));
    expect(sandbox.requests.list()).toHaveLength(4);
    expect(canariesIn(kept.replaceAll(/%20|-/g, ''))).toEqual([]);
    expect(canariesIn(kept)).toEqual([]);
    expect(kept.match(/"path":"\/v3\/payments\/…2987"/g)).toHaveLength(2);
  });

  it('has the newest 500 alone', async () => {
    const sandbox = await started();
    for (let count = 0; count < 501; count += 1) await get(sandbox, `/v3/payments/${count}`);
    const paths = sandbox.requests.list().map(({ path }) => path);
    expect(paths).toHaveLength(500);
    expect([paths[0], paths.at(-1)]).toEqual(['/v3/payments/500', '/v3/payments/1']);
  });

  it('leaves out the pages of people and the control API', async () => {
    const sandbox = await started();
    const id = await pending(sandbox);
    for (const path of ['/', `/checkout/${id}`, '/sandbox/ledger', '/favicon.ico', '/oauth/v2/authorize'])
      await fetch(`${sandbox.url}${path}`);
    expect(sandbox.requests.list()).toHaveLength(1);
  });
});

describe('who watches', () => {
  it('hears of each request that is over, and of each notification', async () => {
    const seen: Exchange[] = [];
    const merchant = await receiver();
    const sandbox = await started({
      notify: { url: merchant.url },
      watch: (exchange) => seen.push(exchange),
    });
    sandbox.faults.order({ on: 'notification', fault: 'drop' });
    const id = await held(sandbox);
    await post(sandbox, `/v3/payments/${id}/capture`, 'capture');
    await sandbox.clock.advance(0);
    await eventually(
      () => Promise.resolve(seen.length),
      (count) => count === 4,
    );
    const ofKind = (kind: Exchange['kind']) => seen.filter((exchange) => exchange.kind === kind);
    expect(ofKind('request')).toMatchObject([
      { operation: 'create', status: 200, fault: null },
      { operation: 'capture', status: 200, paymentId: id },
    ]);
    expect(ofKind('notification')).toMatchObject([
      { event: 'payment.waiting_for_capture', status: null, error: null, fault: 'drop', url: merchant.url },
      { event: 'payment.succeeded', objectId: id, status: 200, fault: null, url: merchant.url },
    ]);
  });

  it('hears what a fault did to a notification, once', async () => {
    const seen: Exchange[] = [];
    const merchant = await receiver((count) => (count === 1 ? 503 : 200));
    const sandbox = await started({
      notify: { url: merchant.url },
      watch: (exchange) => seen.push(exchange),
    });
    sandbox.faults.order({ on: 'notification', fault: 'delay', ms: 1000 });
    await held(sandbox);
    await sandbox.clock.advance(60_000);
    expect(seen.filter(({ kind }) => kind === 'notification')).toMatchObject([
      { status: 503, fault: 'delay' },
      { status: 200, fault: null },
    ]);
  });
});

describe('a printed line', () => {
  const report = {
    kind: 'request',
    at: '2030-06-15T12:00:00.000Z',
    method: 'POST',
    path: '/v3/payments',
    operation: 'create',
    accountId: null,
    requestKey: null,
    paymentId: null,
    status: 200,
    end: 'answered',
    fault: null,
  } as const satisfies Exchange;
  const delivery = {
    kind: 'notification',
    at: '2030-06-15T12:00:00.000Z',
    notificationId: 'n',
    event: 'payment.succeeded',
    objectId: 'p',
    url: 'http://127.0.0.1:1/hook',
    status: 200,
    error: null,
    fault: null,
  } as const satisfies Exchange;

  function lineOf(exchange: Exchange, isTTY: boolean): string {
    let written = '';
    exchangePrinter({ isTTY, write: (text) => (written += text) })(exchange);
    return written;
  }

  it.each<[Exchange, string]>([
    [report, '12:00:00  POST /v3/payments  200\n'],
    [
      { ...report, status: 500, fault: 'error_500_after_commit' },
      '12:00:00  POST /v3/payments  500  fault error_500_after_commit\n',
    ],
    [{ ...report, status: null, end: 'cut' }, '12:00:00  POST /v3/payments  connection cut\n'],
    [{ ...report, end: 'cut' }, '12:00:00  POST /v3/payments  200, cut off\n'],
    [{ ...report, path: '/v3/\u001b[2J' }, '12:00:00  POST /v3/\ufffd[2J  200\n'],
    [delivery, '12:00:00  payment.succeeded → http://127.0.0.1:1/hook  200\n'],
    [
      { ...delivery, status: null, error: 'refused' },
      '12:00:00  payment.succeeded → http://127.0.0.1:1/hook  refused\n',
    ],
    [
      { ...delivery, status: null, fault: 'drop' },
      '12:00:00  payment.succeeded → http://127.0.0.1:1/hook  not sent  fault drop\n',
    ],
    [
      { ...delivery, status: null, fault: 'reorder' },
      '12:00:00  payment.succeeded → http://127.0.0.1:1/hook  held back  fault reorder\n',
    ],
  ])('says of %j all that matters', (exchange, line) => {
    expect(lineOf(exchange, false)).toBe(line);
  });

  it('has colours on a terminal alone', () => {
    const wish = process.env['NO_COLOR'];
    delete process.env['NO_COLOR'];
    try {
      expect(lineOf(report, true)).toContain('\u001b[32m200\u001b[39m');
      process.env['NO_COLOR'] = '1';
      expect(lineOf(report, true)).toBe(lineOf(report, false));
    } finally {
      if (wish === undefined) delete process.env['NO_COLOR'];
      else process.env['NO_COLOR'] = wish;
    }
  });
});

describe('the stream of changes', () => {
  /** Counts the events that arrive; the connection ends with the sandbox. */
  async function listening(sandbox: Sandbox): Promise<{ events: () => number; type: string | undefined }> {
    const request = http.get(`${sandbox.url}/sandbox/changes`, { agent: false });
    request.on('error', () => undefined);
    const [response] = await once(request, 'response');
    if (!(response instanceof http.IncomingMessage)) throw new Error('No answer');
    let text = '';
    response
      .setEncoding('utf8')
      .on('error', () => undefined)
      .on('data', (part: string) => (text += part));
    return { events: () => text.split('data: changed').length - 1, type: response.headers['content-type'] };
  }

  const heard = (count: () => number, least: number) =>
    eventually(
      () => Promise.resolve(count()),
      (events) => events >= least,
    );

  it('tells of requests, what a buyer does, faults, the clock and notifications', async () => {
    const sandbox = await started();
    const { events, type } = await listening(sandbox);
    expect(type).toMatch(/^text\/event-stream;/);
    let told = 0;
    const id = await pending(sandbox);
    for (const change of [
      () => undefined,
      () => sandbox.payments.pay(id, { outcome: 'succeed' }),
      () => sandbox.faults.order({ on: 'create', fault: 'forbidden' }),
      () => sandbox.faults.clear(),
      () => sandbox.clock.advance(1000),
      () => sandbox.clock.skew(1000),
    ]) {
      await Promise.resolve(change());
      told = await heard(events, told + 1);
    }
  });

  it('tells nobody who is not this machine, and ends with the sandbox', async () => {
    const sandbox = await started();
    await listening(sandbox);
    const request = http.get(`${sandbox.url}/sandbox/changes`, {
      agent: false,
      headers: { Host: 'shop.test' },
    });
    const [response] = await once(request, 'response');
    expect(response instanceof http.IncomingMessage && response.resume().statusCode).toBe(403);
    await sandbox.close();
  });
});
