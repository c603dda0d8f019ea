/** A merchant's application as a process of its own, compiled, with its background work: its memory is its own, and can be asked for. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PaymentsModule, protectWebhook } from '../../../dist/libs/payments/src/index.js';

const { DATABASE_URL, PAYMENTS, ADAPTER } = process.env;

const payments = PaymentsModule.forRoot(JSON.parse(PAYMENTS));
const database = TypeOrmModule.forRoot({ type: 'postgres', url: DATABASE_URL, autoLoadEntities: true });
const app = await NestFactory.create(
  { ...payments, imports: [ScheduleModule.forRoot(), database, ...(payments.imports ?? [])] },
  ADAPTER === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter(),
  { logger: ['error', 'warn'], abortOnError: false, forceCloseConnections: true },
);
protectWebhook(app, { bodyTimeoutMs: 5_000 });
await app.listen(0, '127.0.0.1');

const connections = promisify((done) => app.getHttpServer().getConnections(done));
async function tellMemory() {
  // What hangs on a connection goes with it.
  while ((await connections()) > 0) await delay(20);
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ heldBytes: heapUsed + external });
}
process.on('message', () => void tellMemory());
process.once('disconnect', () => void app.close());
process.send({ port: app.getHttpServer().address().port });
