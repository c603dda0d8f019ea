/** A process that makes, on a message, the deliveries that are due; the effect that its handler records is a request to its test, which kills it on the way. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { once } from 'node:events';
import { Deliverer } from '../../dist/libs/payments/src/handlers/deliverer.js';
import { OnPaymentEffect, OnPaymentEvent, PaymentsModule } from '../../dist/libs/payments/src/index.js';

const { DATABASE_URL, PAYMENTS, OUTSIDE } = process.env;

class Orders {
  async succeeded({ name, payment }, { manager, effects }) {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
    await effects.record('test.outside', { paymentId: payment.id });
  }

  async outside({ paymentId }, { effectKey }) {
    await fetch(OUTSIDE, { method: 'POST', headers: { 'Idempotence-Key': effectKey }, body: paymentId });
  }
}
// What the decorators do where there is a compiler for them.
const marked = (decorate, name) =>
  decorate(Orders.prototype, name, Object.getOwnPropertyDescriptor(Orders.prototype, name));
marked(OnPaymentEvent('payment.succeeded', { id: 'test.orders' }), 'succeeded');
marked(OnPaymentEffect('test.outside'), 'outside');

const payments = PaymentsModule.forRoot({ ...JSON.parse(PAYMENTS), sweeps: false });
const database = TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, autoLoadEntities: true });
const app = await NestFactory.createApplicationContext(
  {
    ...payments,
    imports: [database, ...(payments.imports ?? [])],
    providers: [...(payments.providers ?? []), Orders],
  },
  { logger: false },
);
const started = once(process, 'message');
process.send('ready');
await started;
const { work } = app.get(Deliverer);
for (let claims = await work.take(1); claims.length > 0; claims = await work.take(1))
  for (const claim of claims) await work.run(claim);
await app.close();
process.disconnect();
