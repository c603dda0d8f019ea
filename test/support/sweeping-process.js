/** A process that re-reads on a message one payment and makes one delivery; its test kills it on the way. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { once } from 'node:events';
import { Deliverer } from '../../dist/libs/payments/src/handlers/deliverer.js';
import { OnPaymentEvent, PaymentsModule } from '../../dist/libs/payments/src/index.js';
import { HandOver } from '../../dist/libs/payments/src/notifications/hand-over.js';
import { Claims } from '../../dist/libs/payments/src/reconcile/claims.js';
import { Reconciler } from '../../dist/libs/payments/src/reconcile/reconciler.js';
import { StoreTurns } from '../../dist/libs/payments/src/stores/store-turns.js';

const { DATABASE_URL, PAYMENTS } = process.env;

class Effects {
  async succeeded({ name, payment }, { manager }) {
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
  }
}
// What the decorator does where there is a compiler for it.
const method = Object.getOwnPropertyDescriptor(Effects.prototype, 'succeeded');
OnPaymentEvent('payment.succeeded', { id: 'test.succeeded' })(Effects.prototype, 'succeeded', method);

const payments = PaymentsModule.forRoot({ ...JSON.parse(PAYMENTS), sweeps: false });
const database = TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, autoLoadEntities: true });
const app = await NestFactory.createApplicationContext(
  {
    ...payments,
    imports: [database, ...(payments.imports ?? [])],
    providers: [...(payments.providers ?? []), Effects],
  },
  { logger: false },
);
const started = once(process, 'message');
process.send('ready');
await started;
while (await app.get(HandOver).runNext());
const claims = app.get(Claims);
const [id] = await app.get(StoreTurns).waiting((storeId) => claims.waits(storeId), [], 1);
const [claim] = await claims.take({ stores: [{ id, most: 1 }], most: 1, failing: 1 });
await app.get(Reconciler).run(claim, 'sweep');
const { work } = app.get(Deliverer);
for (const delivery of await work.take(1)) await work.run(delivery);
await app.close();
process.disconnect();
