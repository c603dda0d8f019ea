/** A process that makes deliveries until none is due, and dies of those whose payment's id it is given. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Deliverer } from '../../dist/libs/payments/src/handlers/deliverer.js';
import { OnPaymentEvent, PaymentsModule } from '../../dist/libs/payments/src/index.js';

const { DATABASE_URL, PAYMENTS, DEADLY } = process.env;

class Effects {
  async succeeded({ name, payment }, { manager }) {
    if (payment.id === DEADLY) process.kill(process.pid, 'SIGKILL');
    await manager.query('INSERT INTO effects (event, payment_id) VALUES ($1, $2)', [name, payment.id]);
  }
}
// What the decorator does where there is a compiler for it.
const method = Object.getOwnPropertyDescriptor(Effects.prototype, 'succeeded');
OnPaymentEvent('payment.succeeded', { id: 'test.effects' })(Effects.prototype, 'succeeded', method);

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
const { take, run, slots } = app.get(Deliverer).work;
for (let claims = await take(1); claims.length > 0; claims = await take(1)) {
  const left = [...claims];
  const work = async () => {
    for (let claim = left.shift(); claim; claim = left.shift()) await run(claim);
  };
  await Promise.all(Array.from({ length: slots }, work));
}
await app.close();
