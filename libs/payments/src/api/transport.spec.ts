import { HttpService } from '@nestjs/axios';
import { Axios } from 'axios';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { canaries } from '../../../../test/support/canaries.js';
import { eventually } from '../../../../test/support/eventually.js';
import { shopCredentials, tokenCredentials } from './credentials.js';
import { ServiceError } from './service-errors.js';
import { sendToService, type ServiceRequest } from './transport.js';
import type { TimeLimit } from './within-time.js';

const KEY = canaries.secretKey;
const CARD = canaries.cardNumber;
const FOUR_MB = 4 * 1024 * 1024;
const body = `{ "card":"${CARD}",\t"text" : "\\u0041é₽" }\n`;
const post = {
  method: 'POST',
  path: '/v3/payments',
  body,
  idempotenceKey: 'key-1',
  timeoutMs: 5_000,
} as const;
const get = { method: 'GET', path: '/v3/payments/a', timeoutMs: 5_000 } as const;

interface Received {
  readonly request: IncomingMessage;
  readonly bytes: Buffer;
}

const servers: Server[] = [];

/** A server that keeps what it receives, then answers. */
async function serve(answer: RequestListener): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ request, bytes: Buffer.concat(chunks) });
      answer(request, response);
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return { url: `http://127.0.0.1:${address.port}`, received };
}

const answering = (status: number, text: string, headers: Record<string, string> = {}) =>
  serve((_request, response) => response.writeHead(status, headers).end(text));

const answerTo = (url: string, request: ServiceRequest & TimeLimit = get) =>
  sendToService(new HttpService().axiosRef, url, shopCredentials('test_shop', KEY), request, request);
const send = async (url: string, request: ServiceRequest & TimeLimit = get) =>
  (await answerTo(url, request)).body;

const failure = (url: string, request: ServiceRequest & TimeLimit = get) =>
  send(url, request).then(
    (answer) => Promise.reject(new Error(`answered ${JSON.stringify(answer)}`)),
    (error: unknown) => error,
  );

/** Of the server that was made last. */
const openConnections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    servers.at(-1)?.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a request to the service', () => {
  it('carries body, key and credentials exactly as given', async () => {
    const { url, received } = await answering(200, '{"id":"a"}');
    expect(await send(url, post)).toEqual({ id: 'a' });
    const [{ request, bytes } = { request: null, bytes: null }] = received;
    expect(bytes).toEqual(Buffer.from(body, 'utf8'));
    expect([request?.method, request?.url]).toEqual(['POST', '/v3/payments']);
    expect(request?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from(`test_shop:${KEY}`).toString('base64')}`,
      'idempotence-key': 'key-1',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      accept: 'application/json',
    });
  });

  it("is answered with the time of the service's clock", async () => {
    const dated = await answering(200, '{}', { Date: 'Tue, 01 Jan 2030 12:34:56 GMT' });
    expect(await answerTo(dated.url)).toEqual({ body: {}, date: new Date('2030-01-01T12:34:56.000Z') });
    const garbled = await answering(200, '{}', { Date: 'yesterday' });
    expect(await answerTo(garbled.url)).toEqual({ body: {}, date: null });
  });

  it('of an app carries its token', async () => {
    const { url, received } = await answering(200, '{}');
    await sendToService(new HttpService().axiosRef, url, tokenCredentials(KEY), get, get);
    expect(received[0]?.request.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('that deletes carries its key and no body', async () => {
    const { url, received } = await answering(200, '{}');
    await send(url, { ...get, method: 'DELETE', path: '/v3/webhooks/wh-1', idempotenceKey: 'key-2' });
    const [first] = received;
    expect([first?.request.method, first?.request.url]).toEqual(['DELETE', '/v3/webhooks/wh-1']);
    expect(first?.request.headers).toMatchObject({ 'idempotence-key': 'key-2' });
    expect(first?.bytes).toHaveLength(0);
  });

  it('that reads carries neither body nor key', async () => {
    const { url, received } = await answering(200, '[]');
    await send(url, { ...get, query: { 'created_at.gte': '2026-01-01T00:00:00.000Z', cursor: 'a&b=c' } });
    const [first] = received;
    expect(first?.bytes).toHaveLength(0);
    expect(first?.request.headers).not.toHaveProperty('idempotence-key');
    expect(first?.request.headers).not.toHaveProperty('content-type');
    const { pathname, searchParams } = new URL(first?.request.url ?? '', url);
    expect(pathname).toBe('/v3/payments/a');
    expect([...searchParams]).toEqual([
      ['created_at.gte', '2026-01-01T00:00:00.000Z'],
      ['cursor', 'a&b=c'],
    ]);
  });

  it('is one attempt', async () => {
    const { url, received } = await answering(500, '');
    await failure(url, post);
    expect(received).toHaveLength(1);
  });

  it.each(['null', '0', '""', '[]', '{}'])('returns the JSON of a 200 unchanged: %s', async (text) => {
    const { url } = await answering(200, text, { 'content-type': 'text/html' });
    expect(await send(url)).toEqual(JSON.parse(text));
  });

  it('reads an answer of 4 MB', async () => {
    const { url } = await answering(200, JSON.stringify('x'.repeat(FOUR_MB - 2)));
    expect(await send(url)).toHaveLength(FOUR_MB - 2);
  });

  it.each([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    const elsewhere = await answering(200, '{}');
    const { url } = await answering(status, '', { location: `${elsewhere.url}/v3/payments` });
    expect(await failure(url, post)).toMatchObject({
      code: 'service_unexpected_answer',
      outcome: 'unknown',
      details: { httpStatus: status, idempotenceKey: 'key-1' },
    });
    expect(elsewhere.received).toEqual([]);
  });

  it('stays at the configured service, whatever its path looks like', async () => {
    const elsewhere = await answering(200, '{}');
    const { url, received } = await answering(200, '{}');
    const host = elsewhere.url.slice('http:'.length);
    const paths = [`${elsewhere.url}/v3/me`, `${host}/v3/me`, `/${host}/v3/me`, `@${host.slice(2)}/v3/me`];
    for (const path of paths) await send(url, { ...get, path });
    expect(received).toHaveLength(paths.length);
    expect(elsewhere.received).toEqual([]);
  });

  it('goes through no proxy that the environment names', async () => {
    const proxy = await answering(200, '{"from":"proxy"}');
    const { url } = await answering(200, '{"from":"service"}');
    const before = process.env['http_proxy'];
    process.env['http_proxy'] = proxy.url;
    try {
      expect(await send(url)).toEqual({ from: 'service' });
    } finally {
      if (before === undefined) delete process.env['http_proxy'];
      else process.env['http_proxy'] = before;
    }
    expect(proxy.received).toEqual([]);
  });
});

const says =
  (status: number, text: string | Buffer = '', headers = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(text);
const unknown = (code: string, fields: object = {}) => ({ code, outcome: 'unknown', ...fields });
const unexpected = unknown('service_unexpected_answer');
const broken = unknown('service_network');
const late = unknown('service_timeout', {
  message: expect.stringMatching('^POST /v3/payments: no answer within 40 ms'),
});
const fourMbAndOne = JSON.stringify('x'.repeat(FOUR_MB - 1));

/** Everything that can go wrong at the service or in the network. */
const failures: [string, RequestListener, object][] = [
  ['a 401', says(401, '{"code":"invalid_credentials"}'), { code: 'service_credentials', outcome: 'refused' }],
  ['a 429', says(429, '{"retry_after":7}'), { details: { httpStatus: 429, retryAfterMs: 7 } }],
  ['a 500 that is a page', says(500, '<html>'), unknown('service_failure', { details: { httpStatus: 500 } })],
  ['a 202', says(202, '{"code":"request_accepted"}'), unknown('service_failure')],
  ['a 204', says(204), unexpected],
  ['a 200 without a body', says(200), unexpected],
  ['a 200 that is a page', says(200, '<html>'), unexpected],
  ['truncated JSON', says(200, '{"id":"a","status":"succee'), unexpected],
  ['two JSON values', says(200, '{"id":"a"}{"id":"b"}'), unexpected],
  ['an answer above 4 MB', says(200, fourMbAndOne), broken],
  [
    'an answer that unpacks to more than 4 MB',
    says(200, gzipSync(fourMbAndOne), { 'content-encoding': 'gzip' }),
    broken,
  ],
  [
    'an answer that breaks off',
    (_, answer) => answer.writeHead(200, { 'content-length': 100 }).write('{"id":', () => answer.destroy()),
    broken,
  ],
  ['a connection that breaks off', (request) => request.socket.destroy(), broken],
  ['no answer in time', () => undefined, late],
  ['a body that does not end in time', (_, answer) => answer.writeHead(200).write('{"id":'), late],
  // Never idle for long: only a deadline for the whole request ends it.
  [
    'a body that drips on and on',
    (_, answer) => {
      const drip = setInterval(() => answer.write(' '), 5);
      answer.on('close', () => clearInterval(drip));
    },
    late,
  ],
];

/** None of these may be visible, however deep one looks. */
function expectNoSecretIn(error: unknown): void {
  const shown = [
    inspect(error, { depth: Infinity, showHidden: true, getters: true, maxStringLength: null }),
    JSON.stringify(error),
    String(error instanceof Error && error.stack),
  ].join('\n');
  const pair = Buffer.from(`test_shop:${KEY}`).toString('base64');
  for (const secret of [KEY, pair, CARD, 'Basic ']) expect(shown).not.toContain(secret);
}

describe('a request that meets', () => {
  it.each(failures)(
    '%s fails with a ServiceError that says so, and shows no secret',
    async (_name, answer, expected) => {
      const { url } = await serve(answer);
      const error = await failure(url, { ...post, ...(expected === late ? { timeoutMs: 40 } : {}) });
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject(expected);
      expectNoSecretIn(error);
    },
  );

  it('its own signal is ended at once, its outcome unknown', async () => {
    const reached = new AbortController();
    const { url, received } = await serve(() => reached.abort());
    const error = await failure(url, { ...post, signal: reached.signal });
    expect(error).toMatchObject(unknown('service_call_aborted', { retryable: false }));
    expect(received).toHaveLength(1);
    expectNoSecretIn(error);
  });

  it.each(['http', 'fetch'])('its deadline is broken off if axios sends it by %s', async (adapter) => {
    const { url } = await serve((_, answer) => answer.writeHead(200).write('{'));
    const limit = { timeoutMs: 40 };
    const sent = sendToService(new Axios({ adapter }), url, shopCredentials('test_shop', KEY), post, limit);
    await expect(sent).rejects.toMatchObject({ code: 'service_timeout' });
    await eventually(openConnections, (count) => count === 0);
  });

  it('a signal that is aborted already is not sent', async () => {
    const { url, received } = await answering(200, '{}');
    const error = await failure(url, { ...post, signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: 'service_call_aborted', outcome: 'refused' });
    expect(received).toEqual([]);
  });

  it('a Retry-After header says how long to wait', async () => {
    const { url } = await answering(429, '', { 'retry-after': '3' });
    expect(await failure(url, post)).toMatchObject({ details: { retryAfterMs: 3_000 } });
  });

  it('a server that is not there fails likewise', async () => {
    const { url } = await serve(says(200));
    const [server] = servers.splice(0);
    server?.close();
    const error = await failure(url, post);
    expect(error).toMatchObject({
      ...broken,
      message: expect.stringMatching(
        /^POST \/v3\/payments: connection failed \(ECONNREFUSED 127\.0\.0\.1:\d+\)/,
      ),
      details: { request: 'POST /v3/payments', idempotenceKey: 'key-1' },
    });
    expectNoSecretIn(error);
  });
});
