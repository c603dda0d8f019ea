import type { Payment } from '@holdfast/payments';
import { ConnectedStores } from '../../libs/payments/src/partner/connected-stores.js';
import { Reconciler } from '../../libs/payments/src/reconcile/reconciler.js';
import { StoreEntity } from '../../libs/payments/src/stores/store.entity.js';
import { TokenVault } from '../../libs/payments/src/stores/token-vault.js';
import { eventually } from '../support/eventually.js';
import { startOddService } from '../support/odd-service.js';
import {
  anotherStore,
  connect,
  effects,
  openPartnerBench,
  orderIn,
  storeBecomes,
  type PartnerBench,
  type PartnerHost,
} from './partner-bench.js';

const DAY_MS = 86_400_000;

describe('a connected store', () => {
  let bench: PartnerBench;
  let host: PartnerHost;
  beforeEach(async () => {
    bench = await openPartnerBench();
    host = await bench.startHost();
  });
  afterEach(() => bench.close());

  const tokenOf = (accountId: string) => {
    const token = bench.sandbox.tokens.list().findLast((one) => one.accountId === accountId);
    if (!token) throw new Error(`${accountId} has no token`);
    return token;
  };
  const told = (id: string, event: string) =>
    eventually(
      () => effects(host, id),
      (names) => names.includes(event),
    );
  const paidBy = (payment: Payment, store: string) =>
    eventually(
      () => host.payments.get(payment.id, { store }),
      ({ status }) => status === 'succeeded',
    );

  it('whose token is revoked needs a reconnection and goes on after it, nothing lost, while the others never stop', async () => {
    const store = await connect(bench, host);
    const other = await connect(bench, host, { accountId: anotherStore(bench) });
    const payment = await host.payments.create(orderIn(store.id));
    bench.sandbox.tokens.revoke(tokenOf('test_tea_house').id);
    // Paid meanwhile: nobody is told, since the webhooks ended with the token.
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await expect(host.payments.refresh(payment.id, { store: store.id })).rejects.toMatchObject({
      code: 'service_credentials',
    });
    await storeBecomes(host, store.id, 'needs_reconnect');
    await told(store.id, 'store.needs_reconnect');

    await expect(host.payments.create(orderIn(store.id))).rejects.toMatchObject({
      code: 'store_not_connected',
    });
    await expect(host.payments.refund(payment.id, { store: store.id, refundKey: 'r' })).rejects.toMatchObject(
      { code: 'store_not_connected' },
    );
    expect(await host.payments.get(payment.id, { store: store.id })).toMatchObject({ status: 'pending' });
    const elsewhere = await host.payments.create(orderIn(other.id));
    bench.sandbox.payments.pay(elsewhere.serviceId ?? '', { outcome: 'succeed' });
    await paidBy(elsewhere, other.id);
    const asked = bench.sandbox.ledger.requestCount();
    await bench.sandbox.clock.advance(60_000);
    // Due, and nobody's turn.
    expect(await host.app.get(Reconciler).worker(8)()).toBe(false);
    expect(bench.sandbox.ledger.requestCount()).toBe(asked);

    const again = await connect(bench, host);
    expect(again).toMatchObject({ id: store.id, status: 'connected' });
    await paidBy(payment, store.id);
    expect(tokenOf('test_tea_house').webhooks).toHaveLength(4);
    expect(await effects(host, store.id)).toEqual([
      'store.connected',
      'store.connected',
      'store.needs_reconnect',
    ]);
  });

  it('is told at once, when its webhooks are back, of what happened without them', async () => {
    const store = await connect(bench, host);
    const payment = await host.payments.create(orderIn(store.id));
    await host.dataSource.query(
      `UPDATE payments_payments SET next_check_at = next_check_at + interval '1 hour' WHERE id = $1`,
      [payment.id],
    );
    bench.sandbox.tokens.revoke(tokenOf('test_tea_house').id);
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await connect(bench, host);
    expect(await paidBy(payment, store.id)).toMatchObject({ status: 'succeeded' });
  });

  it('whose token is answered 401 once, and taken when it is asked about, stays connected', async () => {
    const odd = await startOddService([401, { type: 'error', code: 'invalid_credentials' }]);
    const replica = await bench.startHost({ serviceUrl: odd.url, sweeps: false });
    const store = await connect(bench, host);
    const { id } = await host.payments.create(orderIn(store.id));
    const looks = bench.sandbox.ledger.requestCount({ endpoint: 'me' });
    await expect(replica.payments.refresh(id, { store: store.id })).rejects.toMatchObject({
      code: 'service_credentials',
    });
    await eventually(
      async () => bench.sandbox.ledger.requestCount({ endpoint: 'me' }),
      (count) => count > looks,
    );
    await lookedAfter(host, store.id);
    expect(await host.partner.getStore(store.id)).toMatchObject({ status: 'connected' });
    await replica.close();
    await odd.close();
  });

  it('that was connected again meanwhile is not marked for the token it had before', async () => {
    const store = await connect(bench, host);
    const before = await host.dataSource.manager.findOneByOrFail(StoreEntity, { id: store.id });
    const token = tokenOf('test_tea_house').id;
    await connect(bench, host);
    expect(bench.sandbox.tokens.list().find(({ id }) => id === token)).toMatchObject({ status: 'revoked' });
    // A look that began before, and hears its 401 now.
    await host.app.get(ConnectedStores).needsReconnect(before);
    await host.app.get(ConnectedStores).destroyToken(before);
    expect(await host.partner.getStore(store.id)).toMatchObject({ status: 'connected' });
    expect(await host.partner.refreshStore(store.id)).toMatchObject({ status: 'connected' });
    expect(await effects(host, store.id)).not.toContain('store.needs_reconnect');
  });

  it('is told of ahead of its token’s end, once, and again for the next token', async () => {
    const store = await connect(bench, host);
    const { tokenExpiresAt } = store;
    const leftMs = (tokenExpiresAt?.getTime() ?? 0) - bench.sandbox.clock.now().getTime();
    expect(leftMs / DAY_MS).toBeCloseTo(5 * 365, 1);
    await bench.sandbox.clock.advance(leftMs - 31 * DAY_MS);
    await lookedAfter(host, store.id);
    expect(await effects(host, store.id)).not.toContain('store.token_expiring');
    await bench.sandbox.clock.advance(2 * DAY_MS);
    await told(store.id, 'store.token_expiring');
    await bench.sandbox.clock.advance(DAY_MS);
    await lookedAfter(host, store.id);
    // A process that looked at the same moment, and saw it untold.
    const row = await host.dataSource.manager.findOneByOrFail(StoreEntity, { id: store.id });
    row.expiryToldAt = null;
    await host.app.get(ConnectedStores).tokenExpires(row);
    const recorded = () =>
      host.dataSource.query<unknown[]>(
        `SELECT id FROM payments_events WHERE name = 'store.token_expiring' AND store_id = $1`,
        [store.id],
      );
    expect(await recorded()).toHaveLength(1);
    expect(bench.logs.join('\n')).toContain(tokenExpiresAt?.toISOString());

    await bench.sandbox.clock.advance(40 * DAY_MS);
    await storeBecomes(host, store.id, 'needs_reconnect');
    await connect(bench, host);
    expect(await host.partner.getStore(store.id)).toMatchObject({ status: 'connected' });
    await bench.sandbox.clock.advance(leftMs - 29 * DAY_MS);
    await eventually(recorded, ({ length }) => length === 2);
  });

  describe('its webhooks', () => {
    const urls = () =>
      tokenOf('test_tea_house')
        .webhooks.map(({ event, url }) => `${event} ${url}`)
        .toSorted();

    it('are one for each payment and refund event, at an address that nobody can guess', async () => {
      await connect(bench, host);
      const { webhooks } = tokenOf('test_tea_house');
      expect(webhooks.map(({ event }) => event).toSorted()).toEqual([
        'payment.canceled',
        'payment.succeeded',
        'payment.waiting_for_capture',
        'refund.succeeded',
      ]);
      const [address, ...others] = new Set(webhooks.map(({ url }) => url));
      expect(others).toEqual([]);
      expect(address).toMatch(new RegExp(`^${host.url}/webhooks/payments/[\\w-]{43}$`));
    });

    it('are mended: what is missing is made, what is too much removed, what is foreign left alone', async () => {
      const store = await connect(bench, host);
      const before = urls();
      const row = await host.dataSource.manager.findOneByOrFail(StoreEntity, { id: store.id });
      const token = host.app
        .get(TokenVault)
        .open(store.id, row.encryptedToken ?? '')
        .reveal();
      const call = (method: string, path: string, body?: object) =>
        fetch(`${bench.sandbox.url}/v3/webhooks${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            'Idempotence-Key': crypto.randomUUID(),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
      const [first, second] = tokenOf('test_tea_house').webhooks;
      await call('DELETE', `/${first?.id}`);
      await call('POST', '', { event: second?.event, url: second?.url });
      await call('POST', '', {
        event: 'payment.succeeded',
        url: `https://old.example/${second?.url.split('/').at(-1)}`,
      });
      await call('POST', '', { event: 'payment.succeeded', url: 'https://other-app.example/hook' });

      const report = await host.partner.subscriptions(store.id);
      expect(report).toMatchObject({
        created: [first?.event],
        removed: { length: 2 },
        events: { length: 4 },
      });
      expect(urls()).toEqual([...before, 'payment.succeeded https://other-app.example/hook'].toSorted());
      expect(await host.partner.subscriptions(store.id)).toMatchObject({ created: [], removed: [] });
    });

    it('are made once, also where an answer is lost and two replicas mend at once', async () => {
      const replica = await bench.startHost({ partner: { webhookUrl: `${host.url}/webhooks/payments` } });
      bench.sandbox.faults.order({ on: 'list_webhooks', fault: 'forbidden', times: 10 });
      const store = await connect(bench, host);
      bench.sandbox.faults.clear();
      expect(tokenOf('test_tea_house').webhooks).toEqual([]);
      bench.sandbox.faults.order({ on: 'webhook', fault: 'reset_after_commit', times: 2 });
      await Promise.all([host, replica, host, replica].map(({ partner }) => partner.subscriptions(store.id)));
      expect(tokenOf('test_tea_house').webhooks).toHaveLength(4);
    });

    it('are made by the sweep where the connection broke off before them', async () => {
      bench.sandbox.faults.order({ on: 'list_webhooks', fault: 'forbidden', times: 2 });
      const store = await connect(bench, host);
      expect(tokenOf('test_tea_house').webhooks).toEqual([]);
      await eventually(
        async () => {
          await bench.sandbox.clock.advance(61_000);
          return tokenOf('test_tea_house').webhooks;
        },
        (webhooks) => webhooks.length === 4,
      );
      expect(store.status).toBe('connected');
    });
  });

  describe('that is disconnected', () => {
    const token = (id: string) =>
      host.dataSource
        .query<{ encrypted_token: string | null }[]>(
          'SELECT encrypted_token FROM payments_stores WHERE id = $1',
          [id],
        )
        .then(([row]) => row?.encrypted_token);

    it('has no webhook and no token any more, and keeps its payments', async () => {
      const store = await connect(bench, host);
      const payment = await host.payments.create(orderIn(store.id));
      expect(await host.partner.disconnect(store.id)).toMatchObject({
        status: 'disconnected',
        tokenExpiresAt: null,
      });
      expect(await host.partner.disconnect(store.id)).toMatchObject({ status: 'disconnected' });
      expect(await token(store.id)).toBeNull();
      expect(tokenOf('test_tea_house')).toMatchObject({ status: 'revoked' });
      expect(bench.sandbox.ledger.requestCount({ endpoint: 'delete_webhook' })).toBe(4);
      expect(await host.payments.get(payment.id, { store: store.id })).toMatchObject({ status: 'pending' });
      await expect(host.payments.create(orderIn(store.id))).rejects.toMatchObject({
        code: 'store_not_connected',
      });
      for (const refused of [
        host.partner.refreshStore(store.id),
        host.payments.refresh(payment.id, { store: store.id }),
      ])
        await expect(refused).rejects.toMatchObject({ code: 'store_not_connected' });
      await told(store.id, 'store.disconnected');
      expect((await effects(host, store.id)).filter((name) => name === 'store.disconnected')).toHaveLength(1);
    });

    it('while the service is down is asked nothing more, and the sweep ends its token later', async () => {
      const store = await connect(bench, host);
      bench.sandbox.faults.order({ on: 'revoke_token', fault: 'error_500_before_commit' });
      expect(await host.partner.disconnect(store.id)).toMatchObject({ status: 'disconnected' });
      expect(await token(store.id)).not.toBeNull();
      await expect(host.payments.create(orderIn(store.id))).rejects.toMatchObject({
        code: 'store_not_connected',
      });
      await bench.sandbox.clock.advance(2 * 60_000);
      await eventually(
        () => token(store.id),
        (text) => text === null,
      );
      expect(tokenOf('test_tea_house')).toMatchObject({ status: 'revoked' });
    });

    it('can be connected again, with the payments it had', async () => {
      const store = await connect(bench, host);
      const payment = await host.payments.create(orderIn(store.id));
      await host.partner.disconnect(store.id);
      bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
      expect(await connect(bench, host)).toMatchObject({ id: store.id, status: 'connected' });
      await paidBy(payment, store.id);
    });
  });
});

/** Waits until the sweep has looked after the store once more. */
async function lookedAfter({ dataSource }: PartnerHost, id: string): Promise<void> {
  const care = async () => {
    const { careFence, careLeaseUntil } = await dataSource.manager.findOneByOrFail(StoreEntity, { id });
    return { careFence, free: careLeaseUntil === null };
  };
  const before = await eventually(care, ({ free }) => free);
  await dataSource.query('UPDATE payments_stores SET care_at = now() WHERE id = $1', [id]);
  await eventually(care, ({ careFence, free }) => free && careFence > before.careFence);
}
