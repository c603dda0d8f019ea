import { protectWebhook, type Payment } from '@holdfast/payments';
import { ForeignNotifications } from '../../libs/payments/src/notifications/foreign-notifications.js';
import { PaymentsStoreEntity } from '../../libs/payments/src/schema/store.entity.js';
import { notificationHeaders, RawConnection, rawRequest } from '../../tools/hostile/raw-request.js';
import { httpAdapters } from '../hosts/host.js';
import { listedSender, notification, post, unlistedSender } from '../hosts/notification.js';
import { canaries } from '../support/canaries.js';
import { oneByOne } from '../support/one-by-one.js';
import { rereadNext } from '../support/sweep.js';
import {
  anotherStore,
  connect,
  openPartnerBench,
  orderIn,
  type PartnerBench,
  type PartnerHost,
} from './partner-bench.js';

const HOUR_MS = 3_600_000;
const sender = `X-Forwarded-For: ${listedSender}`;
const json = 'Content-Type: application/json';

async function addressOf({ dataSource, url }: PartnerHost, id: string): Promise<string> {
  const { webhookKey } = await dataSource.manager.findOneByOrFail(PaymentsStoreEntity, { id });
  return `${url}/webhooks/payments/${webhookKey}`;
}

const stored = ({ dataSource }: PartnerHost, objectId: string | null) =>
  dataSource.query<{ store: string; handled: boolean; foreign: boolean }[]>(
    `SELECT store_id AS store, count = handled_count AS handled, foreign_at IS NOT NULL AS foreign
     FROM payments_notifications WHERE object_id = $1`,
    [objectId],
  );

describe.each(httpAdapters)(
  'the address of a connected store, on %s, has the webhook’s door',
  (_name, http) => {
    let bench: PartnerBench;
    let host: PartnerHost;
    let store: string;
    let path: string;
    let connection: RawConnection;
    beforeAll(async () => {
      bench = await openPartnerBench();
      host = await bench.startHost({
        http,
        sweeps: false,
        configure: (app) => protectWebhook(app, { bodyTimeoutMs: 1_000 }),
      });
      store = (await connect(bench, host)).id;
      path = new URL(await addressOf(host, store)).pathname;
    });
    beforeEach(() => {
      connection = new RawConnection('127.0.0.1', Number(new URL(host.url).port));
    });
    afterEach(() => connection.close());
    afterAll(() => bench.close());

    const valid = notification('payment.succeeded', { id: 'through-the-door' });

    it('which accepts a notification of its own', async () => {
      const answer = await connection.send(rawRequest(notificationHeaders(valid, sender), valid, path));
      expect(answer).toMatchObject({ status: 200 });
      expect(await stored(host, 'through-the-door')).toMatchObject([{ store }]);
    });

    it.each<[string, number, string[], string]>([
      ['a body that is announced too large', 413, [json, 'Content-Length: 1000000000'], ''],
      ['a body that never arrives', 408, [json, `Content-Length: ${valid.length}`], valid.slice(0, 10)],
      ['text', 415, ['Content-Type: text/plain', `Content-Length: ${valid.length}`], valid],
      ['what is said to be compressed', 415, [json, 'Content-Encoding: gzip', 'Content-Length: 2'], '{}'],
      ['a __proto__', 400, [json, 'Content-Length: 16'], '{"__proto__":{}}'],
    ])('which refuses %s, whether the key is a store’s or not', async (_what, status, headers, body) => {
      for (const address of [path, `/webhooks/payments/${'A'.repeat(43)}`]) {
        const answer = await connection.send(rawRequest([...headers, sender], body, address));
        expect(answer).toMatchObject({ status });
        connection.close();
      }
    });
  },
);

describe('at the address of a connected store', () => {
  let bench: PartnerBench;
  let host: PartnerHost;
  let mine: string;
  let other: string;
  let otherAccount: string;
  beforeAll(async () => {
    bench = await openPartnerBench();
    // Polls and look-ups happen when the tests say so, and the service reaches nobody.
    host = await bench.startHost({ sweeps: false });
    mine = (await connect(bench, host)).id;
    otherAccount = anotherStore(bench);
    other = (await connect(bench, host, { accountId: otherAccount })).id;
  });
  afterAll(() => bench.close());

  const notificationOf = ({ serviceId }: Payment) =>
    notification('payment.succeeded', {
      id: serviceId,
      status: 'succeeded',
      recipient: { account_id: otherAccount },
    });

  it('a notification of another store’s payment changes nothing, and nothing is looked up with that store’s token', async () => {
    const payment = await host.payments.create(orderIn(other));
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    // Polls would find out by themselves.
    await host.dataSource.query(
      `UPDATE payments_due SET ready_at = now() + interval '30 days' WHERE payment_id = $1`,
      [payment.id],
    );
    const reads = (accountId: string) => bench.sandbox.ledger.requestCount({ endpoint: 'read', accountId });
    const before = [reads(otherAccount), reads('test_tea_house')];
    expect(await post(await addressOf(host, mine), notificationOf(payment))).toBe(200);
    expect(await rereadNext(host.app)).toBe(false);
    await bench.sandbox.clock.advance(HOUR_MS);
    expect(await oneByOne(host.app.get(ForeignNotifications).work)()).toBe(true);
    expect([reads(otherAccount), reads('test_tea_house')]).toEqual([before[0], (before[1] ?? 0) + 1]);
    expect(await host.payments.get(payment.id, { store: other })).toMatchObject({ status: 'pending' });
    expect(await stored(host, payment.serviceId)).toEqual([{ store: mine, handled: true, foreign: true }]);
    expect(await host.operator.foreignNotifications()).toMatchObject([
      { store: mine, objectId: payment.serviceId },
    ]);
    // It does not hide the true one at its own address.
    expect(await post(await addressOf(host, other), notificationOf(payment))).toBe(200);
    expect(await rereadNext(host.app)).toBe(true);
    expect(await host.payments.get(payment.id, { store: other })).toMatchObject({ status: 'succeeded' });
  });

  it('an unknown key costs the same work as any other unknown key', async () => {
    const statements: string[] = [];
    const { dataSource } = host;
    const before: unknown = Reflect.get(dataSource, 'logger');
    const nothing = () => {};
    Reflect.set(dataSource, 'logger', {
      logQuery: (sql: string) => statements.push(sql),
      logQueryError: nothing,
      logQuerySlow: nothing,
    });
    const body = notification('payment.succeeded', { id: 'never-made' });
    const works: string[][] = [];
    for (const key of ['x', '%00', 'A'.repeat(43), 'B'.repeat(43), 'A'.repeat(5_000)]) {
      expect(await post(`${host.url}/webhooks/payments/${key}`, body)).toBe(404);
      works.push(statements.splice(0));
    }
    Reflect.set(dataSource, 'logger', before);
    expect(works[0]).toEqual([expect.stringMatching(/^SELECT .*webhook_key/)]);
    expect(works).toEqual(works.map(() => works[0]));
  });

  it('a sender who is not allowed cannot learn whether a key is a store’s', async () => {
    const answers = await Promise.all(
      [await addressOf(host, mine), `${host.url}/webhooks/payments/${'A'.repeat(43)}`].map(
        async (address) => {
          const answer = await fetch(address, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': unlistedSender },
            body: notification('payment.succeeded', { id: 'never-made' }),
          });
          return [answer.status, await answer.text()];
        },
      ),
    );
    expect(answers[0]).toEqual([403, expect.any(String)]);
    expect(answers[1]).toEqual(answers[0]);
  });
});

describe('where a secret in the path stands in for the sender’s address', () => {
  let bench: PartnerBench;
  beforeAll(async () => {
    bench = await openPartnerBench();
  });
  afterAll(() => bench.close());

  it('the webhooks of a connected store have it before the store’s key, and are made anew for it', async () => {
    const before = await bench.startHost({ sweeps: false });
    const { id } = await connect(bench, before);
    const key = new URL(await addressOf(before, id)).pathname.split('/').at(-1) ?? '';
    await before.close();
    const host = await bench.startHost({
      sweeps: false,
      webhookSecret: canaries.webhookSecret,
      configure: (app) => protectWebhook(app),
    });
    await host.partner.subscriptions(id);
    const urls = bench.sandbox.tokens
      .list()
      .flatMap(({ webhooks }) => webhooks.map(({ url }) => new URL(url)));
    expect(new Set(urls.map(({ pathname }) => pathname))).toEqual(
      new Set([`/webhooks/payments/${canaries.webhookSecret}/${key}`]),
    );
    const valid = notification('payment.succeeded', { id: 'through-the-secret' });
    const address = `${host.url}/webhooks/payments`;
    expect(await post(`${address}/${key}`, valid)).toBe(403);
    expect(await post(`${address}/${canaries.webhookSecret}/${key}`, valid, unlistedSender)).toBe(200);
    expect(await stored(host, 'through-the-secret')).toMatchObject([{ store: id }]);
  });
});
