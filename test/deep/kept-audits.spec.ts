import {
  AuditInProgressError,
  PaymentInputError,
  PaymentsOperator,
  type KeptAudit,
  type KeptAuditInFull,
} from '@holdfast/payments';
import { Database } from '../../libs/payments/src/database/database.js';
import {
  AuditLeaseLostError,
  giveBackAudit,
  keepAudit,
  takeAudit,
} from '../../libs/payments/src/operator/audits/audit-leases.js';
import { StoreRegistry } from '../../libs/payments/src/stores/store.registry.js';
import { eventually } from '../support/eventually.js';
import { openBench, paidPayment, type Bench, type PaymentsHost } from '../support/payments-host.js';

const DAY_MS = 86_400_000;

describe('an audit that is kept', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let operator: PaymentsOperator;
  let from: Date;
  beforeEach(async () => {
    bench = await openBench();
    host = await bench.startHost();
    operator = host.app.get(PaymentsOperator);
    from = await operator.now();
  });
  afterEach(() => bench.close());

  const start = async (asked: { from?: Date; to?: Date; by?: string } = {}) =>
    operator.startAudit({ from, to: await operator.now(), by: 'anna', ...asked });

  const read = async (id: string, of = operator): Promise<KeptAuditInFull> => {
    const audit = await of.keptAudit(id);
    if (audit === null) throw new Error('It is not kept.');
    return audit;
  };
  const becomes = (id: string, is: (audit: KeptAudit) => boolean, of = operator) =>
    eventually(() => read(id, of), is);
  const ends = (id: string, of = operator) => becomes(id, ({ doneAt }) => doneAt !== null, of);

  /** A payment of the first day, one of the second that differs, and one of the third. */
  async function threeDays(): Promise<string> {
    await paidPayment(bench, host);
    await bench.sandbox.clock.advance(DAY_MS);
    const { id, serviceId } = await paidPayment(bench, host);
    await bench.asOwner(
      'UPDATE payments_payments SET captured_minor = 9000, refunded_minor = 0 WHERE id = $1',
      [id],
    );
    await bench.sandbox.clock.advance(DAY_MS);
    await paidPayment(bench, host);
    return serviceId ?? '';
  }

  /** Its second day waits for an answer about this payment. */
  async function halfWay(serviceId: string): Promise<KeptAudit> {
    bench.sandbox.faults.order({ on: 'read', object: serviceId, fault: 'stall', times: 10 });
    const { id } = await start();
    return becomes(id, ({ comparedTo }) => comparedTo !== null);
  }

  it('is made in the background by one of two replicas, day by day, with what it found', async () => {
    await bench.startHost();
    const serviceId = await threeDays();
    const asked = await start();
    expect(asked).toMatchObject({ from, by: 'anna', state: 'running', comparedTo: null, doneAt: null });
    const kept = await ends(asked.id);
    expect(kept).toMatchObject({
      state: 'done',
      comparedTo: asked.to,
      error: null,
      payments: 3,
      refunds: 0,
      receipts: 0,
      differenceCount: 1,
      unsettledCount: 0,
      differences: [{ kind: 'different', object: 'payment', serviceId, fields: ['amount'] }],
    });
    const { differences: _found, ...listed } = kept;
    expect(await operator.keptAudits()).toEqual({ items: [listed], nextCursor: null });
    expect(await operator.keptAudit(crypto.randomUUID())).toBeNull();
  });

  it('is one at a time: the same period is the same audit, another one has to wait', async () => {
    const serviceId = await threeDays();
    const open = await halfWay(serviceId);
    expect(open).toMatchObject({
      payments: 1,
      differenceCount: 0,
      comparedTo: new Date(from.getTime() + DAY_MS),
    });
    const same = await Promise.all([start({ to: open.to }), start({ to: open.to, by: 'boris' })]);
    expect(same.map(({ id, by }) => [id, by])).toEqual([
      [open.id, 'anna'],
      [open.id, 'anna'],
    ]);
    await expect(start({ to: new Date(from.getTime() + 1) })).rejects.toThrow(AuditInProgressError);
    bench.sandbox.faults.clear();
    await ends(open.id);
    expect((await start({ to: open.to })).id).not.toBe(open.id);
  });

  it('is gone on with by another process where one has ended, and counts no day twice', async () => {
    const open = await halfWay(await threeDays());
    const next = await bench.startHost();
    await host.close();
    bench.sandbox.faults.clear();
    const kept = await ends(open.id, next.app.get(PaymentsOperator));
    expect(kept).toMatchObject({ state: 'done', payments: 3, differenceCount: 1 });
  });

  it('is written by nobody whose lease another process has taken', async () => {
    const open = await halfWay(await threeDays());
    const { app } = await bench.startHost({ sweeps: false });
    const database = app.get(Database);
    await bench.asOwner('UPDATE payments_audits SET lease_until = NULL');
    const lease = await takeAudit(database, app.get(StoreRegistry), 60_000);
    expect(lease).toMatchObject({ id: open.id, comparedTo: open.comparedTo });
    if (lease === null) throw new Error('There is no lease.');
    bench.sandbox.faults.clear();
    // Its first process has gone on, to the end.
    await eventually(
      () => Promise.resolve(bench.sandbox.ledger.requestCount({ endpoint: 'list_refunds' })),
      (count) => count >= 2,
    );
    expect(await operator.keptAudit(open.id)).toMatchObject({ comparedTo: open.comparedTo, payments: 1 });
    await expect(keepAudit(database, 60_000, { ...lease, fence: lease.fence - 1 })).rejects.toThrow(
      AuditLeaseLostError,
    );
    await giveBackAudit(database, lease);
    expect(await ends(open.id)).toMatchObject({ payments: 3, differenceCount: 1 });
  });

  it('is tried again while the service does not answer, and broken off after eight tries of a day', async () => {
    bench.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 1_000 });
    const hasty = await bench.startHost({ callDeadlineMs: 1_000, requestTimeoutMs: 500 });
    await host.close();
    const of = hasty.app.get(PaymentsOperator);
    const { id } = await of.startAudit({ from: new Date(from.getTime() - DAY_MS), to: from, by: 'anna' });
    const failures = async () => {
      const [row] = await bench.asOwner<{ failures: number }>('SELECT failures FROM payments_audits');
      return row?.failures ?? 0;
    };
    await eventually(failures, (count) => count === 1);
    expect(await of.keptAudit(id)).toMatchObject({ state: 'running', error: expect.stringContaining('500') });
    await bench.asOwner('UPDATE payments_audits SET failures = 7, lease_until = NULL');
    expect(await ends(id, of)).toMatchObject({
      state: 'broken_off',
      comparedTo: null,
      error: expect.stringContaining('500'),
    });
    bench.sandbox.faults.clear();
    const again = await of.startAudit({ from: new Date(from.getTime() - DAY_MS), to: from, by: 'anna' });
    expect(await ends(again.id, of)).toMatchObject({ state: 'done', error: null });
  });

  it('is broken off at once where the key may not list', async () => {
    bench.sandbox.faults.order({ on: 'list', fault: 'forbidden', times: 1_000 });
    const { id } = await start({ from: new Date(from.getTime() - DAY_MS), to: from });
    expect(await ends(id)).toMatchObject({ state: 'broken_off', error: expect.stringContaining('403') });
  });

  it('is refused for a time to come, and for an id that is none', async () => {
    await expect(start({ to: new Date(from.getTime() + DAY_MS) })).rejects.toThrow(PaymentInputError);
    await expect(operator.keptAudit('1')).rejects.toThrow(PaymentInputError);
    expect(await operator.keptAudits()).toEqual({ items: [], nextCursor: null });
  });

  it('is listed in pages, the newest first', async () => {
    await bench.asOwner(
      `INSERT INTO payments_audits (id, store_id, from_at, to_at, asked_by, started_at, compared_to, done_at)
       SELECT gen_random_uuid(), store.id, now() - interval '2 days', now() - interval '1 day', 'anna' || n, now() - n * interval '1 hour', now() - interval '1 day', now()
       FROM payments_stores store, generate_series(1, 45) n`,
    );
    await bench.asOwner('UPDATE payments_audits SET compared_to = to_at');
    const names: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await operator.keptAudits(cursor === undefined ? {} : { cursor });
      names.push(...page.items.map(({ by }) => by));
      cursor = page.nextCursor;
    }
    expect(names).toEqual(Array.from({ length: 45 }, (_, n) => `anna${n + 1}`));
  });
});
