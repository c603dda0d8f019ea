import { formatAmount } from '@holdfast/payments';
import { Claims } from '../../libs/payments/src/reconcile/claims.js';
import { Recoveries } from '../../libs/payments/src/recovery/recoveries.js';
import { RecoveryLeases } from '../../libs/payments/src/recovery/recovery-leases.js';
import { RollbackWatch } from '../../libs/payments/src/rollback/rollback-watch.js';
import { forgetRefund } from '../support/forget.js';
import { doAll } from '../support/one-by-one.js';
import { openBench, orderInput, type Bench, type PaymentsHost } from '../support/payments-host.js';

describe('leases from before commits were lost', () => {
  let bench: Bench;
  let host: PaymentsHost;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost({ sweeps: false });
  });
  afterAll(() => bench.close());

  const notice = async () => {
    await bench.asOwner(`UPDATE payments_commit_mark SET timeline = 'another'`);
    await host.app.get(RollbackWatch).look();
  };
  const place = async (id: string) =>
    (
      await bench.asOwner('SELECT *, ready_at <= $2 AS is_ready FROM payments_due WHERE payment_id = $1', [
        id,
        bench.sandbox.clock.now(),
      ])
    )[0];

  it('end for a payment that a window waits for: it is ready at once, and the worker that had it writes nothing', async () => {
    bench.sandbox.faults.order({ on: 'notification', fault: 'drop', times: 1_000 });
    const { id, serviceId } = await host.payments.create(orderInput());
    bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await host.payments.refresh(id);
    const refund = await host.payments.refund(id, { refundKey: 'lost', amount: formatAmount(30_00) });
    await forgetRefund(bench, refund.id);
    const claims = host.app.get(Claims);
    const claim = await claims.one(id);
    if (claim === null) throw new Error('Somebody else has it.');
    expect(await place(id)).toMatchObject({ lease_until: expect.any(Date), is_ready: false });
    await notice();
    await doAll(host.app.get(Recoveries).work);
    const before = await place(id);
    expect(before).toMatchObject({ lease_until: null, fence: null, is_ready: true });
    await claims.fail(claim, null);
    expect(await place(id)).toEqual(before);

    // A lease from after that stays.
    const { fence } = (await claims.one(id)) ?? {};
    await bench.asOwner('UPDATE payments_recoveries SET lease_until = NULL');
    await doAll(host.app.get(Recoveries).work);
    expect(await place(id)).toMatchObject({ fence, lease_until: expect.any(Date) });
  });

  it('end for windows that were being read: another process reads on at once, and the first one no more', async () => {
    await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
    await notice();
    const leases = host.app.get(RecoveryLeases);
    const first = await leases.take();
    if (first === null) throw new Error('There is no window.');
    expect(await leases.take()).toBeNull();
    await notice();
    expect(await leases.take()).toMatchObject({ id: first.id });
    await expect(leases.advance(first, { listing: 'refunds', place: null })).rejects.toThrow(
      'Another process has taken the window over.',
    );
  });
});
