import { OnPaymentEvent, PaymentsService, type HandlerContext, type PaymentEvent } from '@holdfast/payments';
import { createTestPayments, type TestPayments } from '@holdfast/payments/testing';
import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource, type QueryRunner } from 'typeorm';

/** What is tested: it ships an order once that is paid, if the warehouse is open. */
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

it('ships a paid order, and tries again if that failed', async () => {
  const orders = app.get(Orders);
  orders.isOpen = false;
  const { serviceId } = await orders.buy('A-1042');
  kit.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
  await kit.settled();
  expect(await shipped()).toEqual([]);
  orders.isOpen = true;
  await kit.clock.advance(10_000);
  expect(await shipped()).toEqual([{ reference: 'A-1042' }]);
});
