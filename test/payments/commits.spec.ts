import {
  OnPaymentEvent,
  PaymentsService,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { eventually } from '../support/eventually.js';
import {
  EffectHandlers,
  effectsBecome,
  openBench,
  orderInput,
  paidPayment,
  paymentBecomes,
  type Bench,
} from '../support/payments-host.js';

/** Refunds in the handler's own transaction. */
@Injectable()
class RefundingHandler {
  constructor(private readonly payments: PaymentsService) {}

  @OnPaymentEvent('payment.succeeded', { id: 'test.refund' })
  async run({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    if (payment.metadata['back'] === 'yes')
      await this.payments.refund(payment.id, { refundKey: 'back', manager });
  }
}

describe.each([
  ['turns it off', 'off', 'on'],
  ['asks for something else', 'remote_write', 'remote_write'],
])('a commit of what the module writes, where the database %s', (_name, set, expected) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
    await bench.asOwner(
      `DO $$ DECLARE name text; BEGIN
         EXECUTE format('ALTER DATABASE %I SET synchronous_commit = ${set}', current_database());
         CREATE TABLE commits (name text, setting text);
         -- Deferred: it runs as the transaction commits, however often the setting changed before.
         CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
           'BEGIN INSERT INTO commits VALUES (TG_TABLE_NAME, current_setting(''synchronous_commit'')); RETURN NULL; END';
         FOR name IN SELECT tablename FROM pg_tables WHERE tablename LIKE 'payments\\_%' LOOP
           EXECUTE format('CREATE CONSTRAINT TRIGGER note_commit AFTER INSERT OR UPDATE OR DELETE ON %I
             DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_commit()', name);
         END LOOP;
       END $$`,
    );
  });
  afterAll(() => bench.close());

  it('waits for the disk, or for what the database asks', async () => {
    const host = await bench.startHost({}, [EffectHandlers, RefundingHandler]);
    const { payments } = host;
    const held = (): Promise<Payment> => paidPayment(bench, host, { capture: false });

    const again = orderInput();
    await payments.create(again);
    await payments.create({ ...again, amount: { value: '50.00', currency: 'RUB' }, replace: true });
    await payments.capture((await held()).id);
    await payments.cancel((await held()).id);
    // In a transaction of the host's own.
    const { id } = await held();
    await host.dataSource.transaction((manager) => payments.capture(id, { manager }));
    await paymentBecomes(host, id, 'succeeded');
    const paid = await paidPayment(bench, host, { metadata: { back: 'yes' } });
    await eventually(
      () => payments.get(paid.id),
      ({ refundedAmount }) => refundedAmount.value === '100.00',
    );
    const part = await paidPayment(bench, host);
    await payments.refund(part.id, { refundKey: 'part', amount: { value: '10.00', currency: 'RUB' } });
    await effectsBecome(bench, host, part.id, 1);

    const tables = await bench.asOwner<{ name: string; settings: string[] }>(
      'SELECT name, array_agg(DISTINCT setting) AS settings FROM commits GROUP BY name ORDER BY name',
    );
    expect(tables.map(({ name }) => name)).toEqual([
      'payments_commit_mark',
      'payments_deliveries',
      'payments_due',
      'payments_events',
      'payments_handlers',
      'payments_notifications',
      'payments_operations',
      'payments_orders',
      'payments_payments',
      'payments_rate_limits',
      'payments_refunds',
      'payments_stores',
    ]);
    expect(tables.filter(({ settings }) => settings.join() !== expected)).toEqual([]);
  });
});
