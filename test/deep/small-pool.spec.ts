import { OnPaymentEvent, PaymentsService, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import { openBench, orderInput, type Bench } from '../support/payments-host.js';

const PAYMENTS = 100;
/** The minimum of docs/processes.md. */
const POOL_SIZE = 4;

/** Both read on a connection of their own while their transaction holds another, as a handler may. */
@Injectable()
class HandlersThatPay {
  constructor(private readonly payments: PaymentsService) {}

  @OnPaymentEvent('payment.waiting_for_capture', { id: 'test.capture' })
  async held({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await this.payments.get(payment.id);
    await this.payments.capture(payment.id, { manager });
  }

  @OnPaymentEvent('payment.succeeded', { id: 'test.refund' })
  async paid({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    await this.payments.refund(payment.id, { refundKey: 'return', manager });
    await this.payments.findByOrder(payment.orderReference);
  }
}

describe('a pool of four connections', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(() => bench.close());

  it('makes a hundred waiting deliveries whose handlers capture, refund and read, each at its first run', async () => {
    const options = { rereads: { perSecond: 1_000, burst: 1_000 } };
    const web = await bench.startHost({ ...options, sweeps: false }, [HandlersThatPay]);
    bench.sandbox.setNotifyUrl(null);
    const made = await Promise.all(
      Array.from({ length: PAYMENTS }, () => web.payments.create({ ...orderInput(), capture: false })),
    );
    for (const { serviceId } of made) bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await Promise.all(made.map(({ id }) => web.payments.refresh(id)));
    const deliveries = () =>
      web.dataSource.query<{ attempts: number; done: boolean }[]>(
        'SELECT attempts, done_at IS NOT NULL AS done FROM payments_deliveries',
      );
    expect(await deliveries()).toEqual(made.map(() => ({ attempts: 0, done: false })));

    await bench.startHost({ ...options, poolSize: POOL_SIZE }, [HandlersThatPay]);
    // A busy machine takes long for all of them, but none stands still.
    for (let some = 10; some <= 2 * PAYMENTS; some += 10)
      await eventually(deliveries, (rows) => rows.filter(({ done }) => done).length >= some);
    const ended = await deliveries();
    expect(ended).toHaveLength(2 * PAYMENTS);
    // A run that had waited in vain for a connection would have been given up and made again.
    expect(new Set(ended.map(({ attempts }) => attempts))).toEqual(new Set([1]));
    expect(bench.sandbox.ledger.totals()).toMatchObject({ captures: PAYMENTS });
  }, 600_000);
});
