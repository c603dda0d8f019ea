import {
  PaymentInputError,
  PaymentsConfigurationError,
  PaymentsModule,
  type PaymentsModuleOptions,
} from '@holdfast/payments';
import { PaymentsApi, shopCredentials } from '@holdfast/payments/client';
import type { INestApplicationContext } from '@nestjs/common';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { inspect } from 'node:util';
import { testAccount } from '../support/account.js';
import { canaries } from '../support/canaries.js';
import { listen } from '../support/listen.js';
import { startOddService, type OddAnswer, type OddService } from '../support/odd-service.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { selfSigned } from '../support/self-signed.js';
import { asItIs, type ServiceProxy } from '../support/service-proxy.js';

const compiled = new URL('../../dist/libs/payments/src/client.js', import.meta.url).href;
const credentials = shopCredentials('test_shop', canaries.secretKey);
const amount = { value: '10.00', currency: 'RUB' as const };
const payment = { id: 'p-1', status: 'pending', amount };
const MB = 1024 * 1024;

describe('a request to the service', () => {
  let service: OddService;
  let elsewhere: OddService;
  beforeEach(async () => {
    elsewhere = await startOddService([200, payment]);
    service = await startOddService([200, payment]);
  });
  afterEach(async () => {
    await elsewhere.close();
    await service.close();
  });

  const apiAnswered = (answer: OddAnswer, requestTimeoutMs = 10_000): PaymentsApi => {
    service.answers = [answer];
    return new PaymentsApi({ serviceUrl: service.url, credentials, requestTimeoutMs });
  };
  const create = (api: PaymentsApi) =>
    api.sendRecorded({ kind: 'create' }, { body: '{}', idempotenceKey: 'k' });

  it.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    const api = apiAnswered((_request, response) =>
      response.writeHead(status, { location: `${elsewhere.url}/v3/payments` }).end(),
    );
    await expect(create(api)).rejects.toMatchObject({
      code: 'service_unexpected_answer',
      outcome: 'unknown',
    });
    expect([service.received.length, elsewhere.received.length]).toEqual([1, 0]);
  });

  it('goes to no address that an id or a page’s cursor names', async () => {
    const host = elsewhere.url.slice('http:'.length);
    const ids = [
      `${elsewhere.url}/v3/me`,
      `${host}/v3/me`,
      '../../v3/me',
      '..',
      'p-1/../../me',
      'p-1?x=1',
      'p-1#x',
    ];
    const api = apiAnswered([200, payment]);
    for (const id of ids) await api.fetchPayment(id).catch(mustBeRefusedHere);
    expect(service.received.filter(({ url }) => !/^\/v3\/payments\/[^/?#]+$/.test(url))).toEqual([]);
    service.answers = [
      [200, { items: [payment], next_cursor: `${elsewhere.url}/v3/payments` }],
      [200, { items: [] }],
    ];
    for await (const { id } of api.listPayments()) expect(id).toBe('p-1');
    expect(elsewhere.received).toEqual([]);
  });

  it('accepts no answer above 4 MB', async () => {
    const large = JSON.stringify({ ...payment, description: 'x'.repeat(4 * MB) });
    const api = apiAnswered((_request, response) => response.writeHead(200).end(large));
    await expect(create(api)).rejects.toMatchObject({ code: 'service_network', outcome: 'unknown' });
  });

  it('waits no longer than its time, also for an answer that keeps dripping', async () => {
    const api = apiAnswered((_request, response) => {
      const drip = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(drip));
    }, 100);
    await expect(create(api)).rejects.toMatchObject({ code: 'service_timeout', outcome: 'unknown' });
  });

  it.each(['http://api.example.com', 'http://10.0.0.1', 'http://localhost.example.com'])(
    'may not go unencrypted over a network: %s',
    (serviceUrl) => {
      expect(() => new PaymentsApi({ serviceUrl, credentials })).toThrow(PaymentsConfigurationError);
    },
  );
});

describe('TLS to the service', () => {
  let server: Server;
  const { DEFAULT_MIN_VERSION } = tls;
  afterEach(async () => {
    tls.DEFAULT_MIN_VERSION = DEFAULT_MIN_VERSION;
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  async function serve(options: tls.TlsOptions): Promise<{ serviceUrl: string; requests: () => number }> {
    let count = 0;
    server = createServer({ ...selfSigned, ...options }, (_request, response) => {
      count += 1;
      response.writeHead(200).end(JSON.stringify(payment));
    });
    return { serviceUrl: `https://127.0.0.1:${await listen(server)}`, requests: () => count };
  }

  it('is 1.2 or newer, even if the process allows older versions', async () => {
    tls.DEFAULT_MIN_VERSION = 'TLSv1';
    const { serviceUrl } = await serve({
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const refused = once(server, 'tlsClientError');
    const api = new PaymentsApi({ serviceUrl, credentials });
    const read = api.fetchPayment('p-1', { timeoutMs: 5_000 });
    await expect(read).rejects.toMatchObject({ code: 'service_network' });
    const [reason] = await refused;
    expect(reason).toMatchObject({ code: 'ERR_SSL_UNSUPPORTED_PROTOCOL' });
  });

  it('checks the certificate, even if the process would not', async () => {
    const { serviceUrl, requests } = await serve({});
    const program = `
      import { PaymentsApi, shopCredentials } from '${compiled}';
      const api = new PaymentsApi({ serviceUrl: '${serviceUrl}', credentials: shopCredentials('s', 'k') });
      await api.fetchPayment('p-1').then(() => console.log('answered'), ({ reason }) => console.log(reason));
    `;
    // Node reads it from the process's own environment, which a test cannot change.
    const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env });
    expect((await text(child.stdout)).trim()).toBe('connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(requests()).toBe(0);
  });
});

describe('an answer of the service', () => {
  let bench: Bench;
  let proxy: ServiceProxy;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    proxy = await bench.startProxy();
    host = await bench.startHost({ serviceUrl: proxy.url, sweeps: false });
  });
  afterAll(() => bench.close());

  it.each<[string, object, RegExp]>([
    ['another amount', { amount: { value: '1.00', currency: 'RUB' } }, /^amount of 1.00 instead of/],
    ['another currency', { amount: { value: '100.00', currency: 'USD' } }, /^currency USD instead of RUB/],
    [
      'another store',
      { recipient: { account_id: '999', gateway_id: '1' } },
      /^store 999 instead of test_shop/,
    ],
    ['real money in a demo store', { test: false }, /^test false instead of true/],
    ['another payment', { id: 'p-of-somebody-else' }, /^id p-of-somebody-else instead of/],
  ])('is rejected if it contains %s', async (_name, fields, reason) => {
    proxy.rewrite = asItIs;
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    proxy.rewrite = (object) => ({ ...object, ...fields });
    expect(await host.payments.refresh(id)).toMatchObject({ status: 'pending' });
    const event = (await host.payments.timeline(id)).find(({ name }) => name === 'payment.anomaly');
    expect(event?.evidence).toMatchObject({ reason: expect.stringMatching(reason) });
  });

  it.each<[string, (options: PaymentsModuleOptions) => PaymentsModuleOptions]>([
    ['as text', (options) => options],
    ['as a function', (options) => ({ ...options, secretKey: () => testAccount.secretKey })],
  ])('was requested with a key that no provider of the application shows: given %s', async (_name, given) => {
    const options = given({ ...testAccount, serviceUrl: bench.sandbox.url });
    for (const module of [
      PaymentsModule.forRoot(options),
      PaymentsModule.forRootAsync({ useFactory: () => options }),
    ]) {
      expect(inspect(module, { depth: Infinity, showHidden: true })).toContain('RESOLVED_OPTIONS');
      expect(inspect(module, { depth: Infinity, showHidden: true })).not.toContain(testAccount.secretKey);
    }
    const asked = await bench.startHost({ ...options, sweeps: false });
    expect(providersOf(asked.app)).not.toContain(testAccount.secretKey);
    await asked.close();
  });
});

/** An invalid id is not even sent. */
function mustBeRefusedHere(error: unknown): void {
  if (!(error instanceof PaymentInputError)) throw error;
}

/** Every provider's value, as a dump of the container shows it. */
function providersOf(app: INestApplicationContext): string {
  const container: unknown = Reflect.get(app, 'container');
  const modules: unknown =
    container !== null && typeof container === 'object' && Reflect.get(container, 'modules');
  if (!(modules instanceof Map)) throw new Error('Nest keeps its modules elsewhere now.');
  const shown = [...modules.values()].flatMap((module: { providers: Map<unknown, { instance: unknown }> }) =>
    [...module.providers.values()].map(({ instance }) => inspect(instance, { depth: 4, showHidden: true })),
  );
  expect(shown.length).toBeGreaterThan(50);
  return shown.join('\n');
}
