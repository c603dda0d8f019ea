import type { Payment } from '@holdfast/payments';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { ConnectedStores } from '../../libs/payments/src/partner/connected-stores.js';
import { PaymentsStoreEntity } from '../../libs/payments/src/schema/store.entity.js';
import { TokenVault } from '../../libs/payments/src/stores/token-vault.js';
import {
  anotherStore,
  connect,
  effects,
  openPartnerBench,
  orderIn,
  storeBecomes,
  type PartnerBench,
  type PartnerHost,
} from '../partner/partner-bench.js';
import { eventually } from '../support/eventually.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import { startOddService, type OddAnswer } from '../support/odd-service.js';
import { rereadNext } from '../support/sweep.js';

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
  const emitted = (id: string, event: string) =>
    eventually(
      () => effects(host, id),
      (names) => names.includes(event),
    );
  const paidBy = (payment: Payment, store: string) =>
    eventually(
      () => host.payments.get(payment.id, { store }),
      ({ status }) => status === 'succeeded',
    );

  it('whose token is revoked needs a reconnection and continues after it, nothing lost, while the others never stop', async () => {
    const store = await connect(bench, host);
    const other = await connect(bench, host, { accountId: anotherStore(bench) });
    const payment = await host.payments.create(orderIn(store.id));
    bench.sandbox.tokens.revoke(tokenOf('test_tea_house').id);
    // Paid meanwhile: nobody is notified, since the webhooks ended with the token.
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await expect(host.payments.refresh(payment.id, { store: store.id })).rejects.toMatchObject({
      code: 'service_credentials',
    });
    await storeBecomes(host, store.id, 'needs_reconnect');
    await emitted(store.id, 'store.needs_reconnect');

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
    expect(await rereadNext(host.app)).toBe(false);
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

  it('learns at once, when its webhooks are back, what happened without them', async () => {
    const store = await connect(bench, host);
    const payment = await host.payments.create(orderIn(store.id));
    await host.dataSource.query(
      `UPDATE payments_due SET ready_at = ready_at + interval '1 hour' WHERE payment_id = $1`,
      [payment.id],
    );
    bench.sandbox.tokens.revoke(tokenOf('test_tea_house').id);
    bench.sandbox.payments.pay(payment.serviceId ?? '', { outcome: 'succeed' });
    await connect(bench, host);
    expect(await paidBy(payment, store.id)).toMatchObject({ status: 'succeeded' });
  });

  it('whose token ends while a payment, a capture or a refund starts gets an error that says so: nothing was sent, and nothing is in the way', async () => {
    const { id: store } = await connect(bench, host);
    const input = orderIn(store);
    const held = await host.payments.create({ ...orderIn(store, 'held'), capture: false });
    bench.sandbox.payments.pay(held.serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(held.id, { store });
    const paid = await host.payments.create(orderIn(store, 'paid'));
    bench.sandbox.payments.pay(paid.serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(paid.id, { store });
    await bench.asOwner(`CREATE FUNCTION token_ends() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      $$ BEGIN UPDATE public.payments_stores SET status = 'needs_reconnect' WHERE id = NEW.store_id; RETURN NEW; END $$`);
    const calls: [() => Promise<unknown>, () => Promise<unknown>][] = [
      [() => host.payments.create(input), () => host.payments.create(input)],
      [() => host.payments.capture(held.id, { store }), () => host.payments.cancel(held.id, { store })],
      [
        () => host.payments.refund(paid.id, { store, refundKey: 'first' }),
        () => host.payments.refund(paid.id, { store, refundKey: 'second' }),
      ],
    ];
    for (const [call, instead] of calls) {
      await bench.asOwner(`CREATE TRIGGER token_ends AFTER INSERT ON payments_operations
        FOR EACH ROW EXECUTE FUNCTION token_ends()`);
      await expect(call()).rejects.toMatchObject({ code: 'store_not_connected', status: 'needs_reconnect' });
      await bench.asOwner('DROP TRIGGER token_ends ON payments_operations');
      await bench.asOwner(`UPDATE payments_stores SET status = 'connected' WHERE id = $1`, [store]);
      await instead();
    }
    const { count } = (
      await bench.asOwner<{ count: number }>(
        `SELECT count(*)::int AS count FROM payments_operations WHERE outcome = 'refused' AND last_error ->> 'code' = 'store_not_connected'`,
      )
    )[0] ?? { count: 0 };
    expect(count).toBe(calls.length);
    for (const endpoint of ['create', 'capture', 'cancel', 'refund'] as const)
      expect([endpoint, bench.sandbox.ledger.requestCount({ endpoint })]).toEqual([
        endpoint,
        endpoint === 'create' ? 3 : endpoint === 'capture' ? 0 : 1,
      ]);
  });

  it('whose token is answered 401 once and accepted when it is checked stays connected', async () => {
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

  it('that is called for its webhooks is checked wholly: its settings, and the end of its token', async () => {
    const { id, tokenExpiresAt } = await connect(bench, host);
    const leftMs = (tokenExpiresAt?.getTime() ?? 0) - bench.sandbox.clock.now().getTime();
    const sweepIsFar = () =>
      bench.asOwner(`UPDATE payments_stores SET maintenance_at = now() + interval '10 years'`);
    await sweepIsFar();
    bench.sandbox.stores.change('test_tea_house', { status: 'disabled' });
    await host.partner.subscriptions(id);
    expect(await host.partner.getStore(id)).toMatchObject({ enabled: false });
    await sweepIsFar();
    await bench.sandbox.clock.advance(leftMs - 29 * DAY_MS);
    await host.partner.subscriptions(id);
    await emitted(id, 'store.token_expiring');
  });

  it('is warned before its token ends, even if its webhooks cannot be fixed', async () => {
    const { id, tokenExpiresAt } = await connect(bench, host);
    const leftMs = (tokenExpiresAt?.getTime() ?? 0) - bench.sandbox.clock.now().getTime();
    bench.sandbox.faults.order({ on: 'list_webhooks', fault: 'forbidden', times: 1_000 });
    await bench.sandbox.clock.advance(leftMs - 29 * DAY_MS);
    expect(await emitted(id, 'store.token_expiring')).toContain('store.token_expiring');
  });

  it('whose token cannot be read by a process without its key stays connected, and another process revokes its token', async () => {
    const { id } = await connect(bench, host);
    const keys = { other: randomBytes(32).toString('base64') };
    const replica = await bench.startHost({ tokenKeys: { current: 'other', keys }, sweeps: false });
    await expect(replica.partner.refreshStore(id)).rejects.toMatchObject({ code: 'token_key_missing' });
    expect(await host.partner.refreshStore(id)).toMatchObject({ status: 'connected' });
    await replica.partner.disconnect(id);
    await bench.sandbox.clock.advance(2 * 60_000);
    const token = () => tokenOf('test_tea_house').status;
    expect(
      await eventually(
        () => Promise.resolve(token()),
        (status) => status === 'revoked',
      ),
    ).toBe('revoked');
  });

  it('whose token cannot be read needs a reconnection', async () => {
    const { id } = await connect(bench, host);
    await bench.asOwner(`UPDATE payments_stores SET encrypted_token = 'v1.lost.x' || encrypted_token`);
    expect(await host.partner.refreshStore(id)).toMatchObject({ status: 'needs_reconnect' });
    expect(bench.logs.join('\n')).toContain(`Store ${id} has to be connected again by its owner`);
  });

  it.each([
    ['disconnected', (id: string) => host.partner.disconnect(id)],
    [
      'no longer served',
      (id: string) => {
        bench.sandbox.tokens.revoke(tokenOf('test_tea_house').id);
        return host.partner.refreshStore(id);
      },
    ],
  ] as const)(
    'that is %s leaves its holds to a person, reported once, and to their policy when it is back',
    async (_what, end) => {
      const { id: store } = await connect(bench, host);
      const { id, serviceId } = await host.payments.create({
        ...orderIn(store),
        capture: false,
        holdPolicy: 'capture',
      });
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
      const held = await eventually(
        () => host.payments.get(id, { store }),
        ({ status }) => status === 'waiting_for_capture',
      );
      await end(store);
      await bench.sandbox.clock.advance(
        (held.holdExpiresAt?.getTime() ?? 0) - bench.sandbox.clock.now().getTime() - 60_000,
      );
      await emitted(id, 'hold.expiring');
      expect(bench.logs.join('\n')).toContain('its store has to be connected again first');
      await connect(bench, host);
      await paidBy(held, store);
      expect((await effects(host, id)).filter((name) => name === 'hold.expiring')).toHaveLength(1);
    },
  );

  it('is no part of the backlog while its owner is awaited, but a figure of its own', async () => {
    const { id } = await connect(bench, host);
    const { id: paymentId } = await host.payments.create(orderIn(id));
    await host.partner.disconnect(id);
    await host.dataSource.query(
      `UPDATE payments_due SET ready_at = now() - interval '1 hour' WHERE payment_id = $1`,
      [paymentId],
    );
    await bench.asOwner(`UPDATE payments_operations SET outcome = NULL`);
    await bench.asOwner(
      `UPDATE payments_stores SET unannounced_changes = 5, unannounced_since = now() WHERE kind = 'connected'`,
    );
    const none = { count: 0, more: false, oldestMs: null };
    expect(await host.operator.backlog()).toMatchObject({
      payments: none,
      operations: none,
      unannouncedChanges: none,
      waitingForOwners: { count: 1 },
    });
    expect((await host.operator.backlog()).waitingForOwners.oldestMs).toBeGreaterThanOrEqual(3_600_000);
  });

  describe('whose webhooks were missing', () => {
    let store: string;
    beforeEach(async () => {
      bench.sandbox.faults.order({ on: 'list_webhooks', fault: 'forbidden', times: 10 });
      ({ id: store } = await connect(bench, host));
      bench.sandbox.faults.clear();
      await bench.asOwner(`UPDATE payments_stores SET maintenance_at = now() + interval '1 day'`);
    });
    /** Its polls are far apart by now. */
    const open = async () => {
      const payment = await host.payments.create(orderIn(store));
      await bench.asOwner(
        `UPDATE payments_due SET checks = 30, ready_at = now() + interval '1 hour' WHERE payment_id = $1`,
        [payment.id],
      );
      return payment;
    };
    const pay = ({ serviceId }: Payment) =>
      bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    const due = ({ id }: Payment) =>
      bench.asOwner(`UPDATE payments_due SET ready_at = now() WHERE payment_id = $1`, [id]);

    it('is re-read soon, even if the answer to a webhook was lost', async () => {
      const payment = await open();
      pay(payment);
      bench.sandbox.faults.order({ on: 'webhook', fault: 'reset_after_commit', times: 10 });
      await expect(host.partner.subscriptions(store)).rejects.toMatchObject({ code: 'service_network' });
      await bench.sandbox.clock.advance(60_000);
      await paidBy(payment, store);
    });

    it('is re-read once more if a re-read had been answered before they were created', async () => {
      const payment = await open();
      const reads = () => Promise.resolve(bench.sandbox.ledger.requestCount({ endpoint: 'read' }));
      bench.sandbox.faults.order({ on: 'read', fault: 'stall_after_commit' });
      await due(payment);
      await eventually(reads, (count) => count > 0);
      pay(payment);
      await host.partner.subscriptions(store);
      bench.sandbox.faults.clear();
      expect(await paidBy(payment, store)).toMatchObject({ status: 'succeeded' });
    });

    it('is re-read once more if a re-read is just being applied', async () => {
      const payment = await open();
      const outside = new Client(bench.database.url);
      await outside.connect();
      await outside.query('BEGIN');
      await outside.query('UPDATE payments_due SET checks = 31 WHERE payment_id = $1', [payment.id]);
      pay(payment);
      const fixed = host.partner.subscriptions(store);
      await eventually(
        () => bench.asOwner(LOCK_WAITS),
        ({ length }) => length > 0,
      );
      await outside.query('COMMIT');
      await outside.end();
      await fixed;
      expect(await paidBy(payment, store)).toMatchObject({ status: 'succeeded' });
    });

    it('raises no alarm for what is found then, and raises one with its name for what is found later', async () => {
      const missed = await Promise.all([open(), open(), open()]);
      missed.forEach(pay);
      await host.partner.subscriptions(store);
      for (const payment of missed) await paidBy(payment, store);
      expect((await host.operator.backlog()).unannouncedChanges).toEqual({
        count: 0,
        more: false,
        oldestMs: null,
      });

      await bench.sandbox.clock.advance(11 * 60_000);
      for (const payment of await Promise.all([open(), open(), open()])) {
        bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
        pay(payment);
        await due(payment);
        await paidBy(payment, store);
      }
      await eventually(
        () => host.operator.backlog(),
        ({ unannouncedChanges }) => unannouncedChanges.count === 3,
      );
      const said = bench.logs.filter((line) => line.includes('Polling found'));
      expect(said).toEqual([expect.stringContaining(`last 3 changes of store ${store};`)]);
      expect(said[0]).toContain('subscriptions(id)');
      expect(said[0]).not.toContain('Merchant Profile');
    });
  });

  it('that was connected again meanwhile is not marked for the token it had before', async () => {
    const store = await connect(bench, host);
    const before = await host.dataSource.manager.findOneByOrFail(PaymentsStoreEntity, { id: store.id });
    const token = tokenOf('test_tea_house').id;
    await connect(bench, host);
    expect(bench.sandbox.tokens.list().find(({ id }) => id === token)).toMatchObject({ status: 'revoked' });
    // A look that began earlier gets its 401 now.
    await host.app.get(ConnectedStores).needsReconnect(before, 'its token was revoked');
    await host.app.get(ConnectedStores).destroyToken(before);
    expect(await host.partner.getStore(store.id)).toMatchObject({ status: 'connected' });
    expect(await host.partner.refreshStore(store.id)).toMatchObject({ status: 'connected' });
    expect(await effects(host, store.id)).not.toContain('store.needs_reconnect');
  });

  it('is warned before its token ends, once, and again for the next token', async () => {
    const store = await connect(bench, host);
    const { tokenExpiresAt } = store;
    const leftMs = (tokenExpiresAt?.getTime() ?? 0) - bench.sandbox.clock.now().getTime();
    expect(leftMs / DAY_MS).toBeCloseTo(5 * 365, 1);
    await bench.sandbox.clock.advance(leftMs - 31 * DAY_MS);
    await lookedAfter(host, store.id);
    expect(await effects(host, store.id)).not.toContain('store.token_expiring');
    await bench.sandbox.clock.advance(2 * DAY_MS);
    await emitted(store.id, 'store.token_expiring');
    await bench.sandbox.clock.advance(DAY_MS);
    await lookedAfter(host, store.id);
    // A process that looked at the same moment, and saw no warning yet.
    const row = await host.dataSource.manager.findOneByOrFail(PaymentsStoreEntity, { id: store.id });
    row.expiryAnnouncedAt = null;
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

    it('are fixed: missing ones are created, surplus ones removed, foreign ones left alone', async () => {
      const store = await connect(bench, host);
      const before = urls();
      const row = await host.dataSource.manager.findOneByOrFail(PaymentsStoreEntity, { id: store.id });
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

    it('are created once, even if an answer is lost and two replicas fix them at once', async () => {
      const replica = await bench.startHost({ partner: { webhookUrl: `${host.url}/webhooks/payments` } });
      bench.sandbox.faults.order({ on: 'list_webhooks', fault: 'forbidden', times: 10 });
      const store = await connect(bench, host);
      bench.sandbox.faults.clear();
      expect(tokenOf('test_tea_house').webhooks).toEqual([]);
      bench.sandbox.faults.order({ on: 'webhook', fault: 'reset_after_commit', times: 2 });
      await Promise.all([host, replica, host, replica].map(({ partner }) => partner.subscriptions(store.id)));
      expect(tokenOf('test_tea_house').webhooks).toHaveLength(4);
    });

    it('are created by the sweep if the connection broke off before them', async () => {
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
      await emitted(store.id, 'store.disconnected');
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

    it('has its token revoked even if the service refuses access to its webhooks', async () => {
      const store = await connect(bench, host);
      bench.sandbox.faults.order({ on: 'list_webhooks', fault: 'forbidden', times: 1_000 });
      await host.partner.disconnect(store.id);
      expect(await token(store.id)).toBeNull();
      expect(tokenOf('test_tea_house')).toMatchObject({ status: 'revoked' });
    });

    it('has its token destroyed if nobody can read it, and that is logged', async () => {
      const store = await connect(bench, host);
      await bench.asOwner(`UPDATE payments_stores SET encrypted_token = 'v1.lost.x' || encrypted_token`);
      await host.partner.disconnect(store.id);
      expect(await token(store.id)).toBeNull();
      expect(bench.logs.filter((line) => line.includes('could not be revoked'))).toHaveLength(1);
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

/** Waits until the sweep has checked the store once more. */
async function lookedAfter({ dataSource }: PartnerHost, id: string): Promise<void> {
  const care = async () => {
    const { maintenanceFence, maintenanceLeaseUntil } = await dataSource.manager.findOneByOrFail(
      PaymentsStoreEntity,
      { id },
    );
    return { maintenanceFence, free: maintenanceLeaseUntil === null };
  };
  const before = await eventually(care, ({ free }) => free);
  await dataSource.query('UPDATE payments_stores SET maintenance_at = now() WHERE id = $1', [id]);
  await eventually(care, ({ maintenanceFence, free }) => free && maintenanceFence > before.maintenanceFence);
}

describe('a token that is revoked', () => {
  let bench: PartnerBench;
  beforeAll(async () => {
    bench = await openPartnerBench();
  });
  afterAll(() => bench.close());

  it.each<[string, OddAnswer, boolean]>([
    ['200', [200, {}], true],
    ['that it is invalid', [400, { error: 'invalid_grant' }], true],
    ['a redirect', (_request, response) => response.writeHead(302, { Location: '/login' }).end(), false],
    ['that it does not know the app', [401, { error: 'invalid_client' }], false],
    ['a proxy’s 403', [403, { message: 'forbidden' }], false],
    ['a proxy’s code', [403, { error: 'blocked' }], false],
  ])('and answered %s: whether it is destroyed', async (_what, answer, isDestroyed) => {
    const host = await bench.startHost({ sweeps: false });
    const { id } = await connect(bench, host, { accountId: anotherStore(bench) });
    const odd = await startOddService(answer);
    const other = await bench.startHost({ sweeps: false, partner: { authUrl: odd.url } });
    await other.partner.disconnect(id);
    await odd.close();
    const { encryptedToken } = await host.dataSource.manager.findOneByOrFail(PaymentsStoreEntity, { id });
    expect(encryptedToken === null).toBe(isDestroyed);
    expect(bench.logs.some((line) => line.includes(id) && line.includes('not destroyed yet'))).toBe(
      !isDestroyed,
    );
  });
});
