/** An application whose transactions are those of nestjs-cls, in a process of its own: Jest loads no CommonJS that requires Nest. */
import 'reflect-metadata';
import { ClsPluginTransactional, Transactional } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { NestFactory } from '@nestjs/core';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { ClsModule } from 'nestjs-cls';
import { PaymentsModule, PaymentsService } from '../../dist/libs/payments/src/index.js';

const { DATABASE_URL, PAYMENTS } = process.env;
const inputOf = (reference) => ({
  order: { reference },
  amount: { value: '100.00', currency: 'RUB' },
  returnUrl: 'https://shop.example/return',
});

class Checkout {
  within(work) {
    return work();
  }
}
// The decorator returns another descriptor, or changes the one that it is given.
const written = Object.getOwnPropertyDescriptor(Checkout.prototype, 'within');
const decorated = Transactional()(Checkout.prototype, 'within', written) ?? written;
Object.defineProperty(Checkout.prototype, 'within', decorated);

const module = PaymentsModule.forRoot(JSON.parse(PAYMENTS));
const adapter = new TransactionalAdapterTypeOrm({ dataSourceToken: getDataSourceToken() });
const database = TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, autoLoadEntities: true });
const app = await NestFactory.create(
  {
    ...module,
    imports: [
      ClsModule.forRoot({ plugins: [new ClsPluginTransactional({ adapter })] }),
      database,
      ...(module.imports ?? []),
    ],
    providers: [Checkout, ...(module.providers ?? [])],
  },
  { logger: ['warn', 'error'], abortOnError: false, forceCloseConnections: true },
);
await app.listen(0, '127.0.0.1');

const payments = app.get(PaymentsService);
await payments.create(inputOf('cls-before'));
console.log('CREATED before');
await app.get(Checkout).within(() => payments.create(inputOf('cls-within')));
console.log('CREATED within');
process.once('disconnect', () => void app.close());
process.send({ port: app.getHttpServer().address().port });
