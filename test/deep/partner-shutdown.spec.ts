import { Client } from 'pg';
import { PaymentsStoreEntity } from '../../libs/payments/src/schema/store.entity.js';
import {
  comeBack,
  connect,
  consent,
  openPartnerBench,
  orderIn,
  type PartnerBench,
  type PartnerHost,
} from '../partner/partner-bench.js';
import { eventually } from '../support/eventually.js';

/** Longer than any test: a wait for it never ends. */
const FOR_EVER = { requestTimeoutMs: 120_000, callDeadlineMs: 160_000 };

describe('a process that is ended during a call for a connected store', () => {
  let bench: PartnerBench;
  /** Does nothing by itself. */
  let web: PartnerHost;
  beforeEach(async () => {
    bench = await openPartnerBench();
    web = await bench.startHost({ ...FOR_EVER, sweeps: false });
  });
  afterEach(async () => {
    bench.sandbox.faults.clear();
    await bench.close();
  });

  type Endpoint = 'token' | 'me' | 'webhook' | 'list_webhooks' | 'delete_webhook' | 'revoke_token';
  const count = (endpoint: Endpoint) => bench.sandbox.ledger.requestCount({ endpoint });
  const asked = (endpoint: Endpoint, times = 1) =>
    eventually(
      () => Promise.resolve(count(endpoint)),
      (requests) => requests >= times,
    );
  const webhooks = () => bench.sandbox.tokens.list().at(-1)?.webhooks ?? [];
  const rowOf = ({ dataSource }: PartnerHost) =>
    dataSource.manager.findOneByOrFail(PaymentsStoreEntity, { accountId: 'test_tea_house' });
  const maintenanceNow = ({ dataSource }: PartnerHost) =>
    dataSource.query(`UPDATE payments_stores SET maintenance_at = now() WHERE kind = 'connected'`);

  /** Another process takes over at once: no clock is moved. */
  async function othersMakeTheRest(): Promise<void> {
    bench.sandbox.faults.clear();
    await bench.startHost({ partner: { webhookUrl: `${web.url}/webhooks/payments` } });
    await eventually(
      () => Promise.resolve(webhooks()),
      ({ length }) => length >= 4,
    );
    expect(new Set(webhooks().map(({ event }) => event)).size).toBe(4);
    expect(webhooks()).toHaveLength(4);
  }

  it('connects the owner whose code it has sent, answers, and leaves the webhooks to others', async () => {
    const callback = await consent(
      bench,
      await web.partner.authorizeUrl({ ownerRef: 'owner-1', returnTo: '/stores' }),
    );
    bench.sandbox.faults.order({ on: 'token', fault: 'stall_after_commit' });
    const led = comeBack(callback);
    await asked('token');
    const closed = web.close();
    bench.sandbox.faults.clear();
    expect((await led).location).toMatch(/^\/stores\?store=/);
    await closed;
    expect([count('token'), webhooks()]).toEqual([1, []]);
    await othersMakeTheRest();
  });

  it('breaks off a check that only reads, and others begin it again', async () => {
    bench.sandbox.faults.order({ on: 'list_webhooks', fault: 'forbidden' });
    await connect(bench, web);
    for (const endpoint of ['me', 'list_webhooks'] as const) {
      const before = count(endpoint);
      await maintenanceNow(web);
      bench.sandbox.faults.order({ on: endpoint, fault: 'stall', times: 1_000 });
      const sweeping = await bench.startHost(FOR_EVER);
      await asked(endpoint, before + 1);
      await sweeping.close();
      expect(await rowOf(web)).toMatchObject({ maintenanceLeaseUntil: null, status: 'connected' });
      bench.sandbox.faults.clear();
    }
    await othersMakeTheRest();
  });

  it('receives the answer to the webhook that it is creating, and creates no other', async () => {
    bench.sandbox.faults.order({ on: 'list_webhooks', fault: 'forbidden' });
    await connect(bench, web);
    bench.sandbox.faults.order({ on: 'webhook', fault: 'stall_after_commit' });
    const { id } = await rowOf(web);
    const fixed = web.partner.subscriptions(id).catch((error: unknown) => error);
    await asked('webhook');
    const closed = web.close();
    bench.sandbox.faults.clear();
    expect(await fixed).toMatchObject({ code: 'store_busy', store: id });
    await closed;
    expect([count('webhook'), webhooks().length]).toEqual([1, 1]);
    await othersMakeTheRest();
  });

  it('destroys the token that it has revoked', async () => {
    const { id } = await connect(bench, web);
    bench.sandbox.faults.order({ on: 'revoke_token', fault: 'stall_after_commit' });
    const disconnected = web.partner.disconnect(id);
    await asked('revoke_token');
    const closed = web.close();
    bench.sandbox.faults.clear();
    expect(await disconnected).toMatchObject({ status: 'disconnected', tokenExpiresAt: null });
    await closed;
    const other = await bench.startHost({ sweeps: false });
    expect(await rowOf(other)).toMatchObject({ encryptedToken: null });
  });

  it('deletes no further webhook of a store that is disconnected; others do, and end its token', async () => {
    const { id } = await connect(bench, web);
    bench.sandbox.faults.order({ on: 'delete_webhook', fault: 'stall_after_commit' });
    const disconnected = web.partner.disconnect(id);
    await asked('delete_webhook');
    const closed = web.close();
    bench.sandbox.faults.clear();
    expect(await disconnected).toMatchObject({ status: 'disconnected' });
    await closed;
    expect([count('delete_webhook'), count('revoke_token')]).toEqual([1, 0]);
    const other = await bench.startHost();
    await eventually(
      () => rowOf(other),
      ({ encryptedToken }) => encryptedToken === null,
    );
    expect([webhooks(), count('revoke_token')]).toEqual([[], 1]);
  });

  it('records the 401 that it received before its database is closed', async () => {
    const { id: store } = await connect(bench, web);
    const { id } = await web.payments.create(orderIn(store));
    const outside = new Client(bench.database.url);
    await outside.connect();
    await outside.query(`UPDATE payments_stores SET maintenance_at = now() + interval '1 day'`);
    await outside.query('BEGIN');
    await outside.query('SELECT FROM payments_stores FOR UPDATE');
    bench.sandbox.tokens.revoke(bench.sandbox.tokens.list().at(-1)?.id ?? '');
    await expect(web.payments.refresh(id, { store })).rejects.toMatchObject({ code: 'service_credentials' });
    const closed = web.close();
    await outside.query('COMMIT');
    await closed;
    const { rows } = await outside.query<{ due: boolean }>(
      'SELECT maintenance_at <= now() AS due FROM payments_stores WHERE id = $1',
      [store],
    );
    await outside.end();
    expect(rows).toEqual([{ due: true }]);
    expect(bench.logs.join('\n')).not.toContain('could not be noted');
  });
});
