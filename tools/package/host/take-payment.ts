import 'reflect-metadata';
import {
  OnPaymentEvent,
  PaymentInputError,
  PaymentsModule,
  paymentsMigrations,
  PaymentsService,
  protectWebhook,
  type HandlerContext,
  type HoldEvent,
  type PaymentEvent,
} from '@holdfast/payments';
import * as client from '@holdfast/payments/client';
import { PaymentsPaymentEntity } from '@holdfast/payments/entities';
import { startSandbox } from '@holdfast/sandbox';
import { Injectable, Module, type NestApplicationOptions } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';

const account = { shopId: 'test_shop', secretKey: 'test_secret' };
const received: string[] = [];

@Injectable()
class Shop {
  constructor(private readonly payments: PaymentsService) {}

  /** Recorded in the handler's own transaction: the module recognizes the manager as its own. */
  @OnPaymentEvent('payment.succeeded', { id: 'shop.refund-part' })
  async refundPart({ payment }: PaymentEvent, { manager }: HandlerContext): Promise<void> {
    if (payment.orderReference !== 'A-1') return;
    const amount = { value: '10.00', currency: 'RUB' as const };
    await this.payments.refund(payment.id, { refundKey: 'part', amount, manager });
  }

  @OnPaymentEvent('hold.expiring', { id: 'shop.hold' })
  hold({ name, payment, hold }: HoldEvent): void {
    received.push(`${name} ${payment.orderReference} ${hold.policy}`);
  }
}

async function eventually<T>(ask: () => Promise<T>, condition: (answer: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    if (condition(answer)) return answer;
    if (tries === 1_000) throw new Error(`It never came; the last answer was ${JSON.stringify(answer)}`);
    await delay(50);
  }
}

/**
 * What each host does: of one hold it captures a part and refunds a part of that, of another it is told before the end. It throws
 * where the outcome is another one, or where a class is not one and the same in all entries. `adapter`: default Express.
 */
export async function takePayment(adapter?: AbstractHttpAdapter): Promise<void> {
  const sandbox = await startSandbox(account);

  @Module({
    imports: [
      ScheduleModule.forRoot(),
      TypeOrmModule.forRoot({
        type: 'postgres',
        url: process.env['DATABASE_URL'] ?? '',
        schema: 'billing',
        autoLoadEntities: true,
        retryAttempts: 0,
        migrations: [...paymentsMigrations],
        migrationsRun: true,
      }),
      PaymentsModule.forRoot({
        ...account,
        serviceUrl: sandbox.url,
        trustedProxies: ['127.0.0.1/32'],
        sweeps: { intervalMs: 100 },
        holds: { policy: 'flag' },
        clock: sandbox.clock,
      }),
    ],
    providers: [Shop],
  })
  class PaymentHostModule {}

  const options: NestApplicationOptions = { logger: ['error'] };
  const app = await (adapter
    ? NestFactory.create(PaymentHostModule, adapter, options)
    : NestFactory.create(PaymentHostModule, options));
  protectWebhook(app);
  await app.listen(0, '127.0.0.1');
  sandbox.setNotifyUrl(`${await app.getUrl()}/webhooks/payments`);
  const payments = app.get(PaymentsService);
  const order = async (reference: string) => payments.getOrder(reference);

  async function hold(reference: string): Promise<string> {
    const { id, serviceId } = await payments.create({
      order: { reference },
      amount: { value: '100.00', currency: 'RUB' },
      capture: false,
      returnUrl: 'https://shop.example/',
    });
    sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
    await eventually(
      () => order(reference),
      (found) => found?.state === 'authorized',
    );
    return id;
  }

  const captured = await hold('A-1');
  await payments.capture(captured, { amount: { value: '60.00', currency: 'RUB' } });
  const refunded = await eventually(
    () => order('A-1'),
    (found) => found?.state === 'partially_refunded',
  );
  assert.deepEqual([refunded?.paid.value, refunded?.refunded.value], ['60.00', '10.00']);

  await hold('A-2');
  await sandbox.clock.advance(6.5 * 86_400_000);
  await eventually(
    async () => received.length,
    (count) => count > 0,
  );
  assert.deepEqual(received, ['hold.expiring A-2 flag']);

  // Classes are one and the same: of an error in two entries, of the service and of a row in this module's own container.
  const error = await payments.get('').catch((reason: unknown) => reason);
  assert.ok(error instanceof PaymentInputError && error instanceof client.PaymentInputError);
  assert.ok(app.get(client.PaymentsApi) instanceof client.PaymentsApi);
  const row = await app
    .get(DataSource)
    .getRepository(PaymentsPaymentEntity)
    .findOneByOrFail({ id: captured });
  assert.ok(row instanceof PaymentsPaymentEntity);

  await app.close();
  await sandbox.close();
}
