import { posix } from 'node:path';
import type { Beginning } from '../beginning.js';
import type { Host } from '../host.js';
import { specifierOf } from '../specifier.js';

/** The handler: what the application does once an order is paid. */
export const paidOrdersText = (): string => `\
import {
  OnPaymentEvent,
  type HandlerContext,
  type OrderEvent,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';

/** What happens once an order is paid. Put your own here: mark it, ship it. */
@Injectable()
export class PaidOrders {
  /** Runs in one transaction with the mark that it ran. */
  @OnPaymentEvent('order.paid', { id: 'orders.mark-paid' })
  async markPaid(
    { orderReference }: OrderEvent,
    { manager }: HandlerContext,
  ): Promise<void> {
    await manager.query(
      'INSERT INTO paid_orders VALUES ($1) ON CONFLICT DO NOTHING',
      [orderReference],
    );
  }
}
`;

/** The module's tables, and the one that the handler writes to. */
export const migrationsText = (): string => `\
import { paymentsMigrations } from '@holdfast/payments';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What PaidOrders writes to. */
export class PaidOrders1770000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE paid_orders (reference text PRIMARY KEY)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE paid_orders');
  }
}

/** The module's own, and yours after them. */
export const migrations = [...paymentsMigrations, PaidOrders1770000000000];
`;

/** A test of the handler: a whole order beside the twin, with the application's test runner as it is set up. `path`: its own. */
export const specText = (
  { sourceRoot, ending }: Pick<Beginning, 'sourceRoot' | 'ending'>,
  runner: Host['runner'],
  path: string,
): string => {
  const own = (name: string) => specifierOf(path, posix.join(sourceRoot, 'payments', name), ending);
  return `\
import { yookassaProfile } from '@holdfast/payments';
import {
  createTestPayments,
  type TestPayments,
} from '@holdfast/payments/testing';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
${runner === 'vitest' ? "import { afterAll, beforeAll, describe, expect, it } from 'vitest';\n" : ''}\
import { PaidOrders1770000000000 } from '${own('migrations')}';
import { PaidOrders } from '${own('paid-orders')}';

const { TEST_DATABASE_URL } = process.env;

describe('PaidOrders', () => {
  let kit: TestPayments;
  let app: INestApplication;

  beforeAll(async () => {
    kit = await createTestPayments({
      // Your own PostgreSQL server; without it one is started for this test.
      databaseUrl: TEST_DATABASE_URL,
      migrations: [PaidOrders1770000000000],
      payments: { profile: yookassaProfile },
    });
    const module = await Test.createTestingModule({
      imports: [kit.module],
      providers: [PaidOrders],
    }).compile();
    app = await module.createNestApplication({ logger: false }).init();
  }, 120_000);

  afterAll(async () => {
    await app.close();
    await kit.close();
  });

  it('marks an order as paid, whose buyer clicked twice', async () => {
    const click = () =>
      kit.payments.create({
        order: { reference: 'A-1' },
        amount: { value: '450.00', currency: 'RUB' },
        returnUrl: 'https://shop.example/orders/A-1',
      });
    const [{ serviceId }] = await Promise.all([click(), click()]);
    kit.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await kit.settled();

    const paid: unknown = await app
      .get(DataSource)
      .query('SELECT reference FROM paid_orders');
    expect(paid).toEqual([{ reference: 'A-1' }]);
    expect(kit.sandbox.ledger.totals(serviceId ?? '').charges).toBe(1);
  }, 120_000);
});
`;
};
