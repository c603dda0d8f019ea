import type { EntityManager } from 'typeorm';
import { eventually } from '../support/eventually.js';
import { gather } from '../support/gather.js';
import { LOCK_WAITS } from '../support/lock-waits.js';
import { reread, openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';
import { noteStatements } from '../support/statements.js';
import { rereadNext } from '../support/sweep.js';

const DAY_MS = 24 * 3_600_000;

describe('what a handler records in its own transaction while the payment is refreshed', () => {
  let bench: Bench;
  let handlers: PaymentsHost;
  let web: PaymentsHost;
  const sent: string[] = [];
  beforeAll(async () => {
    bench = await openBench();
    handlers = await bench.startHost({ sweeps: false });
    web = await bench.startHost({ sweeps: false });
    noteStatements(web.dataSource, sent);
  });
  afterAll(() => bench.close());

  /** Begins a refresh before the commit of what is recorded, and ends after both. */
  async function refreshBeside(
    id: string,
    record: (manager: EntityManager) => Promise<unknown>,
  ): Promise<void> {
    let refreshed: Promise<unknown> = Promise.resolve();
    await handlers.dataSource.transaction(async (manager) => {
      await record(manager);
      sent.length = 0;
      refreshed = reread(web, id);
      // It waits for the handler's locks, or has come back for another try.
      const isHalfWay = async () => tries() > 1 || (await waitsForLock());
      await eventually(isHalfWay, Boolean);
    });
    await refreshed;
  }

  const tries = () => sent.filter((statement) => statement.startsWith('WITH')).length;

  async function waitsForLock(): Promise<boolean> {
    const rows = await bench.asOwner(LOCK_WAITS);
    return rows.length > 0;
  }

  async function paid(input: { capture?: false } = {}): Promise<string> {
    const { id, serviceId } = await web.payments.create({ ...orderInput(), ...input });
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop' });
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await reread(web, id);
    return serviceId === null ? '' : id;
  }

  const serviceIdOf = async (id: string) => (await web.payments.get(id)).serviceId ?? '';

  it('is sent: a refund of a payment that has no place in the queue', async () => {
    const id = await paid();
    await refreshBeside(id, (manager) => handlers.payments.refund(id, { refundKey: 'all', manager }));
    for (let day = 0; day < 3; day += 1) {
      await bench.sandbox.clock.advance(DAY_MS);
      while (await rereadNext(web.app));
    }
    expect(bench.sandbox.ledger.totals(await serviceIdOf(id))).toMatchObject({
      refunds: 1,
      refunded: '100.00',
    });
  });

  it('is sent at once: a capture of a hold that is polled', async () => {
    const id = await paid({ capture: false });
    await refreshBeside(id, (manager) => handlers.payments.capture(id, { manager }));
    while (await rereadNext(web.app));
    expect(bench.sandbox.ledger.totals(await serviceIdOf(id))).toMatchObject({ captures: 1 });
  });

  it('keeps its place in the queue while a refund is open, even if the wish for it were lost', async () => {
    const id = await paid();
    const read = gather(web.app, 'fetchPayment');
    const refreshed = reread(web, id);
    await eventually(
      () => Promise.resolve(read.arrived()),
      (count) => count === 1,
    );
    await handlers.dataSource.transaction((manager) =>
      handlers.payments.refund(id, { refundKey: 'all', manager }),
    );
    await bench.asOwner('UPDATE payments_due SET wanted_at = NULL WHERE payment_id = $1', [id]);
    read.letGo();
    await refreshed;
    await bench.sandbox.clock.advance(DAY_MS);
    while (await rereadNext(web.app));
    expect(bench.sandbox.ledger.totals(await serviceIdOf(id))).toMatchObject({ refunds: 1 });
  });
});
