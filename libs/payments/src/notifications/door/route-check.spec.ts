import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { notifyOurselves, OWN, routeAdvice, serverAdvice } from './route-check.js';

const { signal } = new AbortController();
const question = { path: '/hooks', sender: '185.71.76.1', signal };

const taking: RequestListener = (request, response) => {
  const own: unknown = Reflect.get(request, OWN);
  if (typeof own === 'object' && own !== null) Object.assign(own, { isTaken: true });
  const { method, url, headers, socket } = request;
  const isAsSent =
    method === 'POST' &&
    url === '/hooks' &&
    headers['x-forwarded-for'] === '185.71.76.1' &&
    socket.remoteAddress === '127.0.0.1';
  request.resume().on('end', () => response.writeHead(isAsSent ? 200 : 500).end());
};

describe('a notification of this process to itself', () => {
  it.each([
    ['without TLS', () => createServer(taking)],
    ['with TLS', () => createTlsServer(taking)],
  ])('reaches a server %s that need not listen, and leaves no listener there', async (_how, make) => {
    const server = make();
    const before = server.listenerCount('request');
    expect(await notifyOurselves(server, question)).toEqual({ status: 200, isTaken: true });
    expect(server.listenerCount('request')).toBe(before);
  });

  it('tells the status of one that did not take it', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(401).end();
    });
    expect(await notifyOurselves(server, question)).toEqual({ status: 401, isTaken: false });
  });

  it.each([
    ['hangs up', () => createServer((request) => request.socket.destroy())],
    ['speaks HTTP/2 alone', () => createHttp2Server()],
    ['does not know streams', () => ({ listen: () => undefined })],
    [
      'wants more of a connection than a stream has',
      () => createServer(taking).on('connection', (socket) => void socket.setNoDelay()),
    ],
  ])('says nothing of a server that %s', async (_what, make) => {
    expect(await notifyOurselves(make(), question)).toEqual({ status: 'unknown', isTaken: false });
  });

  it('ends when the process does', async () => {
    const closing = new AbortController();
    const server = createServer(() => closing.abort());
    expect(await notifyOurselves(server, { ...question, signal: closing.signal })).toEqual({
      status: 'unknown',
      isTaken: false,
    });
  });

  it('marks no request of anybody else', async () => {
    const marks: unknown[] = [];
    const server = createServer((request, response) => {
      marks.push(Reflect.get(request, OWN));
      response.end();
    });
    const [first] = await Promise.all([notifyOurselves(server, question), notifyOurselves(server, question)]);
    expect(first).toEqual({ status: 200, isTaken: false });
    expect(marks).toEqual([{ isTaken: false }, { isTaken: false }]);
    expect(marks[0]).not.toBe(marks[1]);
  });
});

const path = '/hooks';

describe('what is said of the webhook’s route', () => {
  it.each([[{ status: 200, isTaken: true }], [{ status: 'unknown', isTaken: false }]] as const)(
    'is nothing after %j',
    (answer) => {
      expect(routeAdvice(path, answer, [])).toBeNull();
    },
  );

  it.each([
    [{ status: 'late', isTaken: false }, /is not answered: .*leave this path alone/],
    [{ status: 200, isTaken: false }, /answered 200 by a guard or middleware .*before the module sees it/],
    [{ status: 401, isTaken: false }, /answered 401 by a guard .*webhookDecorators: \[Public\(\)\]/],
    [{ status: 403, isTaken: false }, /answered 403 by a guard .*webhookDecorators: \[Public\(\)\]/],
    [{ status: 404, isTaken: false }, /answered 404, before .*webhookPath/],
    [
      { status: 415, isTaken: false },
      /answered 415, because it does not arrive as JSON.*protectWebhook\(app\)/,
    ],
    [{ status: 500, isTaken: false }, /answered 500 by a guard or middleware/],
    [{ status: 201, isTaken: true }, /answered 201 once it is stored, by an interceptor or filter/],
  ] as const)('names the path and the fix after %j', (answer, expected) => {
    const advice = routeAdvice(path, answer, []);
    expect(advice).toMatch(/^A notification to \/hooks is /);
    expect(advice).toMatch(expected);
  });

  it('names the global guards where one may be to blame', () => {
    const answer = { status: 401, isTaken: false } as const;
    expect(routeAdvice(path, answer, ['SignedInGuard', 'TenantGuard'])).toMatch(
      / Global guards: SignedInGuard, TenantGuard\.$/,
    );
  });
});

describe('what is said of the server', () => {
  const server = (headersTimeout: number) => createServer({ headersTimeout });

  it('is nothing if it has a door and ends slow headers', () => {
    for (const one of [server(5_000), createHttp2Server(), { listen: () => undefined }])
      expect(serverAdvice(one, { hasDoor: true, hasSecret: true })).toEqual([]);
  });

  it('names what is missing, and sets nothing', () => {
    const open = server(0);
    expect(serverAdvice(open, { hasDoor: false, hasSecret: true })).toEqual([
      expect.stringMatching(/^Every notification is refused: .*webhookSecret/),
      expect.stringMatching(/without protectWebhook\(\)/),
      expect.stringMatching(/headersTimeout is 0/),
    ]);
    expect(open.headersTimeout).toBe(0);
  });
});
