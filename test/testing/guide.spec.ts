import { OnPaymentEvent, PaymentsService, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { createTestPayments, type TestPayments } from '@holdfast/payments/testing';
import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource, type QueryRunner } from 'typeorm';

/** What is tested: it ships an order once that is paid, if the warehouse is open, and takes it back. */
@Injectable()
class Orders {
  isOpen = true;

  constructor(private readonly payments: PaymentsService) {}

  buy(reference: string) {
    const amount = { value: '450.00', currency: 'RUB' } as const;
    return this.payments.create({ order: { reference }, amount, returnUrl: 'https://shop.example/orders' });
  }

  @OnPaymentEvent('payment.succeeded', { id: 'orders.ship' })
  async ship({ payment }: PaymentEvent, { manager }: HandlerContext) {
    await manager.query('INSERT INTO shipped VALUES ($1)', [payment.orderReference]);
    if (!this.isOpen) throw new Error('the warehouse is closed');
  }

  takeBack(paymentId: string, returnNumber: string) {
    return this.payments.refund(paymentId, { refundKey: returnNumber });
  }
}

@Module({ providers: [Orders] })
class OrdersModule {}

class Shipped1770000000000 {
  up = (runner: QueryRunner) => runner.query('CREATE TABLE shipped (reference text)');
  down = (runner: QueryRunner) => runner.query('DROP TABLE shipped');
}

let kit: TestPayments;
let app: INestApplication;

beforeAll(async () => {
  kit = await createTestPayments({
    databaseUrl: process.env.TEST_SERVER_URL,
    migrations: [Shipped1770000000000],
  });
  const module = await Test.createTestingModule({ imports: [kit.module, OrdersModule] }).compile();
  app = await module.createNestApplication({ logger: false }).init();
});

afterAll(async () => {
  await app.close();
  await kit.close();
});

const shipped = () => app.get(DataSource).query('SELECT reference FROM shipped');

/** As its buyer does. */
async function pay(serviceId: string | null) {
  kit.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  await kit.settled();
}

it('ships a paid order, and tries again if that failed', async () => {
  const orders = app.get(Orders);
  orders.isOpen = false;
  const { serviceId } = await orders.buy('A-1042');
  await pay(serviceId);
  expect(await shipped()).toEqual([]);
  orders.isOpen = true;
  await kit.clock.advance(10_000);
  expect(await shipped()).toEqual([{ reference: 'A-1042' }]);
});

it('gives the money of an order back once, though the button was clicked twice', async () => {
  const orders = app.get(Orders);
  const { id, serviceId } = await orders.buy('A-1043');
  await pay(serviceId);
  await Promise.all([orders.takeBack(id, 'return-17'), orders.takeBack(id, 'return-17')]);
  await kit.settled();
  expect(kit.sandbox.ledger.totals(serviceId ?? '')).toMatchObject({ charges: 1, refunds: 1 });
  expect(await kit.payments.getOrder('A-1043')).toMatchObject({ state: 'refunded' });
});
