/** An application with the throttlers of `@nestjs/throttler` for all its routes, in a process of its own: Jest loads no CommonJS that requires Nest. */
import 'reflect-metadata';
import { Controller, Get } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SkipThrottle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PaymentsModule } from '../../dist/libs/payments/src/index.js';

const { DATABASE_URL, PAYMENTS, ADAPTER, THROTTLERS } = process.env;
const { options, isAsync = false, counts = false } = JSON.parse(THROTTLERS);

class OrdersController {
  list() {
    return [];
  }
}
Controller('orders')(OrdersController);
Get()(
  OrdersController.prototype,
  'list',
  Object.getOwnPropertyDescriptor(OrdersController.prototype, 'list'),
);

const payments = PaymentsModule.forRoot({
  ...JSON.parse(PAYMENTS),
  webhookDecorators: counts ? [SkipThrottle({ default: false })] : [],
});
const throttlers = isAsync
  ? ThrottlerModule.forRootAsync({ useFactory: async () => options })
  : ThrottlerModule.forRoot(options);
const database = TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, autoLoadEntities: true });
const app = await NestFactory.create(
  {
    ...payments,
    imports: [throttlers, database, ...(payments.imports ?? [])],
    controllers: [OrdersController, ...(payments.controllers ?? [])],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }, ...(payments.providers ?? [])],
  },
  ADAPTER === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter(),
  { logger: ['log', 'warn', 'error'], abortOnError: false, forceCloseConnections: true },
);
await app.listen(0, '127.0.0.1');
process.once('disconnect', () => void app.close());
process.send({ port: app.getHttpServer().address().port });
