import { PaymentsModule, PaymentsOperator, protectWebhook } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createServer, type IncomingMessage } from 'node:http';
import { notificationHeaders, RawConnection, rawRequest } from '../../tools/hostile/raw-request.js';
import { paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from '../hosts/host.js';
import { listedSender, notification, storedNotifications, unlistedSender } from '../hosts/notification.js';
import { openDatabase, type OpenDatabase } from '../hosts/open-database.js';
import { canaries, canariesIn } from '../support/canaries.js';
import { listen } from '../support/listen.js';

const SECRET = canaries.webhookSecret;
const PATH = '/api/webhooks/payments';
const valid = notification('payment.succeeded', { id: 'some-payment' });
const levels = ['log', 'warn', 'error', 'debug'] as const;

const spied = (level: (typeof levels)[number]) => jest.spyOn(Logger.prototype, level);

const adapters: [name: string, http: (log: string[]) => AbstractHttpAdapter][] = [
  ['Express', () => new ExpressAdapter()],
  // Its own logger writes each request's target before any hook or middleware.
  [
    'Fastify',
    (log) => new FastifyAdapter({ logger: { stream: { write: (line: string) => void log.push(line) } } }),
  ],
];

describe.each(adapters)('a secret in the webhook’s path on %s', (_name, http) => {
  let spies: ReturnType<typeof spied>[] = [];
  let database: OpenDatabase;
  let sandbox: Sandbox;
  let host: Host;
  let log: string[];
  /** What the host's own middleware sees of requests. */
  let seen: string[];
  beforeAll(async () => {
    spies = levels.map(spied);
    database = await openDatabase();
    sandbox = await startTestSandbox();
  });
  beforeEach(async () => {
    log = [];
    seen = [];
    for (const spy of spies) spy.mockImplementation((line: unknown) => void log.push(String(line)));
    host = await start((app) => protectWebhook(app));
  });
  afterEach(async () => {
    await host.close();
    await database.sql.query('DELETE FROM payments_notifications');
  });
  afterAll(async () => {
    for (const spy of spies) spy.mockRestore();
    await sandbox.close();
    await database.close();
  });

  /** Where the secret was seen, once nothing is logged any more. */
  async function shown(): Promise<string[]> {
    const stored = JSON.stringify(await storedNotifications(database.sql));
    await host.close();
    return [log.join(), seen.join(), stored].filter((text) => canariesIn(text).length > 0);
  }

  const start = (protect: (app: Parameters<typeof protectWebhook>[0]) => void): Promise<Host> =>
    startHost({
      http: () => http(log),
      imports: [
        typeOrm(database.url),
        PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: false, webhookSecret: SECRET }),
      ],
      configure: (app) => {
        app.setGlobalPrefix('api');
        protect(app);
        app.use(
          (
            { url = '', originalUrl = url }: IncomingMessage & { originalUrl?: string },
            _response: unknown,
            next: () => void,
          ) => {
            seen.push(url, originalUrl);
            next();
          },
        );
      },
    });

  async function statusOf(
    path: string,
    forwarded = unlistedSender,
    port = Number(new URL(host.url).port),
  ): Promise<number | undefined> {
    const connection = new RawConnection('127.0.0.1', port);
    const headers = notificationHeaders(valid, `X-Forwarded-For: ${forwarded}`);
    const answer = await connection.send(rawRequest(headers, valid, path));
    connection.close();
    return answer?.status;
  }

  it('lets a notification in from any address, and shows the secret to nothing behind the door', async () => {
    expect(await statusOf(`${PATH}/${SECRET}`)).toBe(200);
    expect(await statusOf(`${PATH}/${SECRET}?a=1`)).toBe(200);
    expect(new Set(seen.filter((url) => url.startsWith(PATH)))).toEqual(new Set([PATH, `${PATH}?a=1`]));
    expect(await storedNotifications(database.sql)).toMatchObject([
      { objectId: 'some-payment', count: 2, senderAddress: unlistedSender },
    ]);
    expect(log).toContainEqual(expect.stringMatching(/^webhookSecret is set: .*docs\/behind-a-proxy\.md/));
    expect(await shown()).toEqual([]);
  });

  it('is the only way in: no address is', async () => {
    for (const path of [
      PATH,
      `${PATH}/${SECRET.slice(0, -1)}`,
      `${PATH}/${SECRET.toUpperCase()}`,
      `${PATH}?secret=${'x'.repeat(SECRET.length)}`,
      `${PATH}/${'x'.repeat(SECRET.length)}`,
    ])
      for (const sender of [listedSender, unlistedSender])
        expect([path, await statusOf(path, sender)]).toEqual([path, 403]);
    expect(await storedNotifications(database.sql)).toEqual([]);
    expect(host.app.get(PaymentsOperator, { strict: false }).refusedSenders()).toMatchObject([
      { address: unlistedSender, advice: 'webhookSecret', count: 5 },
      { address: listedSender, advice: 'webhookSecret', count: 5 },
    ]);
    expect(log).toContainEqual(expect.stringMatching(/has to end in \/<the webhookSecret>\.$/));
    expect(await shown()).toEqual([]);
  });

  it('stands before the key of a connected store', async () => {
    expect(await statusOf(`${PATH}/${SECRET}/${'A'.repeat(43)}`)).toBe(404);
    expect(await shown()).toEqual([]);
  });

  it('is taken out on every server of the application', async () => {
    // As Fastify makes one for each address of localhost, and a host for HTTP beside HTTPS.
    const other = createServer(host.app.getHttpServer().listeners('request').at(-1));
    const port = await listen(other);
    expect(await statusOf(`${PATH}/${SECRET}`, unlistedSender, port)).toBe(200);
    expect(await statusOf(PATH, listedSender, port)).toBe(403);
    other.closeAllConnections();
    other.close();
    expect(await shown()).toEqual([]);
  });

  it('is missed where the door is', async () => {
    await host.close();
    host = await start(() => undefined);
    expect(log).toContainEqual(expect.stringMatching(/^Every notification is refused: .*protectWebhook/));
    expect(await statusOf(PATH, listedSender)).toBe(403);
  });
});
