import { PaymentsConfigurationError, PaymentsModule, protectWebhook } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { jest } from '@jest/globals';
import { Body, Controller, Logger, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import {
  notificationHeaders,
  RawConnection,
  rawRequest,
  type RawAnswer,
} from '../../tools/hostile/raw-request.js';
import {
  httpAdapters,
  paymentsOptions,
  startHost,
  startTestSandbox,
  typeOrm,
  type Host,
} from '../hosts/host.js';
import {
  listedSender,
  notification,
  post,
  storedNotifications,
  unlistedSender,
} from '../hosts/notification.js';
import { openDatabase, type OpenDatabase } from '../hosts/open-database.js';
import { eventually } from '../support/eventually.js';
import { holdInserts } from '../support/held-inserts.js';

const LIMIT = 65_536;
const MARK = 'zq7marker';

/** Routes of the host's own: one that accepts more than the webhook does, and another service's webhook. */
@Controller()
class UploadsController {
  @Post('uploads')
  take(@Body() body: { text: string }): number {
    return body.text.length;
  }

  @Post('others/webhooks/payments')
  others(@Body() body: object): string {
    return JSON.stringify(body);
  }
}

/** A middleware of the host's own, like `express.json()`. */
function parse(incoming: IncomingMessage & { body?: unknown }, _response: unknown, next: () => void): void {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    if (text !== '') incoming.body = JSON.parse(text);
    next();
  });
}

const valid = notification('payment.succeeded', { id: 'some-payment', note: MARK });
const ofSize = (bytes: number) => {
  const empty = notification('payment.succeeded', { id: 'some-payment', note: '' });
  return empty.replace('"note":""', `"note":"${'x'.repeat(bytes - empty.length)}"`);
};
const deep = (depth: number) =>
  valid.replace(`"${MARK}"`, `${'['.repeat(depth)}"${MARK}"${']'.repeat(depth)}`);

const refusedBodies: [what: string, body: string, status: number, headers?: string[]][] = [
  ['nothing', '', 400],
  ['broken JSON', `${valid.slice(0, -1)}${MARK}`, 400],
  ['a text', `"${MARK}"`, 400],
  ['a number', '1', 400],
  ['what ends in the middle of a letter', `${valid.slice(0, -1)}\u00c3`, 400],
  ['depth beyond reason', deep(60), 400],
  ['depth that overflows a stack', deep(30_000), 400],
  ['a __proto__', valid.replace('"note"', '"__proto__"'), 400],
  ['an escaped __proto__', valid.replace('"note"', '"\\u005f_proto__"'), 400],
  ['the prototype of a constructor', valid.replace(`"${MARK}"`, '{"constructor":{"prototype":1}}'), 400],
  ['an unknown event', notification(MARK, { id: 'some-payment' }), 400],
  ['an event with a path', notification(`payment.${MARK}/../x`, { id: 'some-payment' }), 400],
  ['an id with a path', notification('payment.succeeded', { id: `../${MARK}` }), 400],
  ['an id with a query', notification('payment.succeeded', { id: `${MARK}?a=1` }), 400],
  ['an id with an escape', notification('payment.succeeded', { id: `%2e%2e%2f${MARK}` }), 400],
  ['an id with a zero byte', notification('payment.succeeded', { id: `${MARK}\0` }), 400],
  ['an id with a line break', notification('payment.succeeded', { id: `${MARK}\r\nX: 1` }), 400],
  ['an id of 65 characters', notification('payment.succeeded', { id: MARK.padEnd(65, 'x') }), 400],
  ['a byte too many', ofSize(LIMIT + 1), 413],
  ['no content type', valid, 415, []],
  ['text', valid, 415, ['Content-Type: text/plain']],
  ['a form', `body=${MARK}`, 415, ['Content-Type: application/x-www-form-urlencoded']],
  ['JSON in another charset', valid, 415, ['Content-Type: application/json; charset=utf-16']],
  [
    'JSON that is said to be compressed',
    valid,
    415,
    ['Content-Type: application/json', 'Content-Encoding: gzip'],
  ],
];
const refused = refusedBodies.map(([what, body, status, headers]) => ({ what, body, status, headers }));

describe.each(httpAdapters)('the webhook’s door on %s', (_name, http) => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  let host: Host;
  /** It waits for no body. */
  let hasty: Host;
  let connection: RawConnection;
  beforeAll(async () => {
    database = await openDatabase();
    sandbox = await startTestSandbox();
    const start = (bodyTimeoutMs: number) =>
      startHost({
        http,
        imports: [
          typeOrm(database.url),
          PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: false }),
        ],
        controllers: [UploadsController],
        configure: (app) => protectWebhook(app, { bodyTimeoutMs }),
      });
    // No machine is so busy that it needs two minutes for a body that was sent.
    host = await start(120_000);
    hasty = await start(100);
  });
  beforeEach(() => {
    connection = new RawConnection('127.0.0.1', Number(new URL(host.url).port));
  });
  afterEach(async () => {
    connection.close();
    await database.sql.query('DELETE FROM payments_notifications');
  });
  afterAll(async () => {
    await hasty.close();
    await host.close();
    await sandbox.close();
    await database.close();
  });

  const sender = `X-Forwarded-For: ${listedSender}`;
  const stored = () => storedNotifications(database.sql);

  it.each(['/webhooks/payments', '/webhooks/payments/', '/webhooks/payments?a=1'])(
    'accepts a notification at %s, and the next on the same connection',
    async (path) => {
      for (const bytes of [valid, ofSize(LIMIT), valid]) {
        const answer = await connection.send(rawRequest(notificationHeaders(bytes, sender), bytes, path));
        // To Fastify, a trailing slash makes another path.
        expect(answer?.status).toBe(_name === 'Fastify' && path.endsWith('/') ? 404 : 200);
      }
    },
  );

  it('accepts a body that comes in pieces', async () => {
    const pieces = [valid.slice(0, 20), valid.slice(20)].map(
      (piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`,
    );
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked', sender];
    expect(await connection.send(rawRequest(headers, `${pieces.join('')}0\r\n\r\n`))).toMatchObject({
      status: 200,
    });
    expect(await stored()).toMatchObject([{ objectId: 'some-payment' }]);
  });

  it.each(refused)('refuses $what, echoes nothing and stores nothing', async ({ body, status, headers }) => {
    const length = `Content-Length: ${Buffer.byteLength(body, 'utf8')}`;
    const all = headers ? [...headers, length, sender] : notificationHeaders(body, sender);
    const answer = await connection.send(rawRequest(all, body));
    expect(answer?.status).toBe(status);
    expect(`${answer?.head}${answer?.body}`).not.toContain(MARK);
    expect(await stored()).toEqual([]);
  });

  it('refuses a JSON body that is really compressed', async () => {
    const body = gzipSync(valid).toString('latin1');
    const headers = [
      'Content-Type: application/json',
      'Content-Encoding: gzip',
      `Content-Length: ${body.length}`,
      sender,
    ];
    expect(await connection.send(rawRequest(headers, body))).toMatchObject({ status: 415 });
  });

  it('answers 413 to a body that is announced too large, before any of it has arrived', async () => {
    const headers = ['Content-Type: application/json', 'Content-Length: 1000000000', sender];
    expect(await connection.send(rawRequest(headers, ''))).toMatchObject({ status: 413 });
  });

  it('answers 413 to an endless body in pieces, once it is too large', async () => {
    const piece = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked', sender];
    expect(await connection.send(rawRequest(headers, piece.repeat(5)))).toMatchObject({ status: 413 });
  });

  it('answers 408 to a body of the service that never arrives', async () => {
    const slow = new RawConnection('127.0.0.1', Number(new URL(hasty.url).port));
    const headers = ['Content-Type: application/json', `Content-Length: ${valid.length}`, sender];
    expect(await slow.send(rawRequest(headers, valid.slice(0, 10)))).toMatchObject({ status: 408 });
    expect(await stored()).toEqual([]);
    slow.close();
  });

  it.each<[string, string[], string]>([
    ['that never arrives', [`Content-Length: ${valid.length}`], valid.slice(0, 10)],
    ['of pieces that never end', ['Transfer-Encoding: chunked'], `4000\r\n${'x'.repeat(0x4000)}\r\n`],
    ['that is too large', ['Content-Length: 1000000000'], ''],
  ])('answers 403 to a stranger before it reads a body %s', async (_what, headers, begun) => {
    for (const path of ['/webhooks/payments', '/WEBHOOKS//payments/key', '/webhooks/payments/a%2fb']) {
      const stranger = new RawConnection('127.0.0.1', Number(new URL(hasty.url).port));
      const all = ['Content-Type: application/json', `X-Forwarded-For: ${unlistedSender}`, ...headers];
      expect(await stranger.send(rawRequest(all, begun, path))).toMatchObject({
        status: 403,
        body: expect.stringContaining('may not send'),
      });
      stranger.close();
    }
    expect(await stored()).toEqual([]);
  });

  it('survives senders that hang up half-way', async () => {
    const headers = ['Content-Type: application/json', `Content-Length: ${valid.length}`, sender];
    for (let count = 0; count < 20; count += 1) {
      const leaving = new RawConnection('127.0.0.1', Number(new URL(host.url).port));
      const answer = leaving.send(rawRequest(headers, valid.slice(0, 10)));
      leaving.close();
      expect(await answer).toBeNull();
    }
    expect(await connection.send(rawRequest(notificationHeaders(valid, sender), valid))).toMatchObject({
      status: 200,
    });
  });

  it('does not affect other routes', async () => {
    const text = 'x'.repeat(LIMIT + 1);
    const answer = await request(host.url).post('/uploads').send({ text });
    expect(answer).toMatchObject({ status: 201, text: String(LIMIT + 1) });
  });

  it('answers 503 at once, with Retry-After, to more than it can hold, and leaves the pool to the host', async () => {
    const release = await holdInserts(database.sql, 'payments_notifications');
    const port = Number(new URL(host.url).port);
    const flood = Array.from({ length: 300 }, (_, index) => {
      const body = notification('payment.succeeded', { id: `flood-${index}` });
      return new RawConnection('127.0.0.1', port).send(rawRequest(notificationHeaders(body, sender), body));
    });
    const answers: (RawAnswer | null)[] = [];
    for (const answer of flood) void answer.then((given) => answers.push(given));
    // One that is being stored, and 256 that wait. The rest is answered while those do. On a machine that needs seconds to send them
    // all, those that wait are given up meanwhile, and more are answered.
    await eventually(
      () => Promise.resolve(answers),
      ({ length }) => length >= 43,
    );
    // Another part of the host still gets a connection.
    await expect(host.payments.findByOrder('of-nobody')).resolves.toEqual([]);
    const refusedByThen = answers.splice(0);
    for (const answer of refusedByThen) {
      expect(answer).toMatchObject({ status: 503 });
      expect(answer?.head).toMatch(/^retry-after: 30\r$/im);
    }
    await release();
    // Whoever is answered 200 is stored, and nobody else; those that waited for their turn are stored once the database continues.
    const statuses = (await Promise.all(flood)).map((answer) => answer?.status);
    const accepted = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status === 503)).toHaveLength(flood.length - accepted);
    const kept = (await stored()).filter(({ objectId }) => objectId.startsWith('flood-'));
    expect(kept.length).toBeGreaterThanOrEqual(accepted);
    const body = notification('payment.succeeded', { id: 'after-the-flood' });
    expect(await connection.send(rawRequest(notificationHeaders(body, sender), body))).toMatchObject({
      status: 200,
    });
  });
});

const looseAdapters: typeof httpAdapters = [
  ['Express', () => new ExpressAdapter()],
  [
    'Fastify with the loosest of routers',
    () =>
      new FastifyAdapter({
        routerOptions: {
          caseSensitive: false,
          ignoreDuplicateSlashes: true,
          ignoreTrailingSlash: true,
        },
        useSemicolonDelimiter: true,
      }),
  ],
];

describe.each(looseAdapters)('the door behind a global prefix on %s', (_name, http) => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  let host: Host;
  beforeAll(async () => {
    database = await openDatabase();
    sandbox = await startTestSandbox();
    host = await startHost({
      http,
      imports: [
        typeOrm(database.url),
        PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: false }),
      ],
      controllers: [UploadsController],
      configure: (app) => {
        app.setGlobalPrefix('api');
        protectWebhook(app);
      },
    });
  });
  afterAll(async () => {
    await host.close();
    await sandbox.close();
    await database.close();
  });

  async function send(path: string, body: string, ...headers: string[]): Promise<RawAnswer | null> {
    const connection = new RawConnection('127.0.0.1', Number(new URL(host.url).port));
    const answer = await connection.send(
      rawRequest([...headers, `Content-Length: ${Buffer.byteLength(body)}`], body, path),
    );
    connection.close();
    return answer;
  }

  const sender = `X-Forwarded-For: ${listedSender}`;

  it('lets a notification through', async () => {
    const posted = request(host.url).post('/api/webhooks/payments').set('X-Forwarded-For', listedSender);
    expect(await posted.type('application/json').send(valid)).toMatchObject({ status: 200 });
    const whole = 'http://shop.example/api/webhooks/payments';
    expect(await send(whole, valid, 'Content-Type: application/json', sender)).toMatchObject({ status: 200 });
  });

  it.each([
    '/api/webhooks/payments',
    '/api/webhooks/payments?a=1',
    '/api/webhooks/payments#a',
    '/api/webhooks/payments/',
    '/api/webhooks/payments/key',
    '/api/webhooks/payments/.',
    '/api/webhooks/payments/..',
    '/api/webhooks/payments/%2e%2e',
    '/api/webhooks/payments/a%2fb',
    '/api/webhooks/payments/%00',
    '/api/webhooks/payments;a=1',
    '/api/webhooks/payments/key;a=1',
    '/api//webhooks///payments',
    '//api/webhooks/payments',
    '//api//webhooks//payments/key',
    '/API/WebHooks/PAYMENTS',
    '/api/%77ebhooks/payments',
    '/api/webhooks%2Fpayments',
    'http://shop.example/api/webhooks/payments',
    'HTTPS://shop.example:443/api/webhooks/payments/..',
    'http://a?b/api/webhooks/payments',
  ])('is what %s reaches', async (path) => {
    const answer = await send(path, valid, 'Content-Type: text/plain', sender);
    expect(answer).toMatchObject({ status: 415, body: expect.stringContaining('not compressed') });
  });

  it.each([
    '/api/webhooks/payments/%zz',
    'http://a@[b/api/webhooks/payments',
    'http:///api/webhooks/payments',
  ])('is what %s reaches, unless the framework refuses it even before', async (path) => {
    const answer = await send(path, valid, 'Content-Type: text/plain', sender);
    const byTheDoor = answer?.body.includes('not compressed') ?? false;
    expect(byTheDoor || [400, 404].includes(answer?.status ?? NaN)).toBe(true);
  });

  it.each([
    '/api/uploads',
    '/api/uploads?next=/api/webhooks/payments',
    '/api/uploads?a=%zz',
    'http://shop.example/api/uploads',
  ])('is not what %s reaches', async (path) => {
    const body = JSON.stringify({ text: 'x'.repeat(LIMIT + 1) });
    expect(await send(path, body, 'Content-Type: application/json')).toMatchObject({
      status: 201,
      body: String(LIMIT + 1),
    });
  });
});

describe('protectWebhook', () => {
  it.each(httpAdapters)(
    'on %s leaves a route alone whose path ends as the webhook’s, whoever sends',
    async (_name, http) => {
      const database = await openDatabase();
      const sandbox = await startTestSandbox();
      const host = await startHost({
        http,
        imports: [
          typeOrm(database.url),
          PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: false }),
        ],
        controllers: [UploadsController],
        configure: (app) => protectWebhook(app),
      });
      const answer = await request(host.url).post('/others/webhooks/payments').send({ of: 'others' });
      expect(answer).toMatchObject({ status: 201, text: '{"of":"others"}' });
      await host.close();
      await sandbox.close();
      await database.close();
    },
  );

  it('is required at start if it was forgotten and the application listens', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const database = await openDatabase();
    const sandbox = await startTestSandbox();
    const imports = [
      typeOrm(database.url),
      PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: false }),
    ];
    const warnings = () => warned.mock.calls.filter(([line]) => String(line).includes('protectWebhook(app)'));
    try {
      for (const [, http] of httpAdapters) {
        await (await startHost({ http, imports })).close();
        expect(warnings()).toHaveLength(1);
        warned.mockClear();
        await (await startHost({ http, imports, configure: (app) => protectWebhook(app) })).close();
        expect(warnings()).toEqual([]);
      }
      // What never listens has no door: a process that only sweeps, or a test's application.
      const root = { module: UploadsController, imports };
      await (await NestFactory.createApplicationContext(root, { logger: false })).close();
      const app = await NestFactory.create(root, { logger: false });
      await app.init();
      await app.close();
      expect(warnings()).toEqual([]);
    } finally {
      warned.mockRestore();
      await sandbox.close();
      await database.close();
    }
  });

  it.each(httpAdapters)(
    'on %s still takes what a parser before it has read, and says so',
    async (_name, http) => {
      const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
      const database = await openDatabase();
      const sandbox = await startTestSandbox();
      const host = await startHost({
        http,
        imports: [
          typeOrm(database.url),
          PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: false }),
        ],
        configure: (app) => {
          app.use(parse);
          protectWebhook(app);
        },
      });
      try {
        const url = `${host.url}/webhooks/payments`;
        for (const [body, status] of [
          [valid, 200],
          [valid, 200],
          [ofSize(LIMIT + 1), 413],
          [valid.replace('"note"', '"constructor":{"prototype":1},"note"'), 400],
          ['', 400],
        ] as const)
          expect([body.length, await post(url, body)]).toEqual([body.length, status]);
        expect(await storedNotifications(database.sql)).toMatchObject([
          { objectId: 'some-payment', count: 2 },
        ]);
        const lines = warned.mock.calls.map(([line]) => String(line));
        expect(lines.filter((line) => /before app\.use\(express\.json\(\)\)/.test(line))).toHaveLength(1);
      } finally {
        warned.mockRestore();
        await host.close();
        await sandbox.close();
        await database.close();
      }
    },
  );

  it('leaves the server’s own time limits as they are, and says so where slow headers never end', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const database = await openDatabase();
    const sandbox = await startTestSandbox();
    try {
      for (const [, http] of httpAdapters)
        for (const headersTimeout of [5_000, 0]) {
          let before: number | undefined;
          const host = await startHost({
            http,
            imports: [
              typeOrm(database.url),
              PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: false }),
            ],
            configure: (app) => {
              const server = app.getHttpServer();
              server.headersTimeout = headersTimeout;
              before = server.requestTimeout;
              protectWebhook(app);
            },
          });
          const { headersTimeout: headers, requestTimeout: whole } = host.app.getHttpServer();
          expect([headers, whole]).toEqual([headersTimeout, before]);
          const told = warned.mock.calls.filter(([line]) => String(line).includes('headersTimeout is 0'));
          expect(told).toHaveLength(headersTimeout === 0 ? 1 : 0);
          warned.mockClear();
          expect(() => protectWebhook(host.app)).toThrow(/comes too late/);
          await host.close();
        }
    } finally {
      warned.mockRestore();
      await sandbox.close();
      await database.close();
    }
  });

  it('refuses an application without the module, and an invalid time', async () => {
    const app = await NestFactory.create(
      { module: UploadsController },
      { logger: false, abortOnError: false },
    );
    expect(() => protectWebhook(app)).toThrow(PaymentsConfigurationError);
    expect(() => protectWebhook(app, { bodyTimeoutMs: 0 })).toThrow(/bodyTimeoutMs must be/);
    await app.close();
  });
});
