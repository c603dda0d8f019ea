/** A Nest route that stores what it receives in one INSERT and answers 200: no sender check, no bound, no repeats counted. */
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

import { adapterOf, type AdapterName } from './adapter.js';
import { MemoryWatch } from './memory-watch.js';
import { INSERT_BARE_NOTIFICATION } from './statements.js';

export type BareRoute = Awaited<ReturnType<typeof open>>;

interface Notification {
  readonly event: string;
  readonly object: { readonly id: string };
}

@Controller('webhooks/payments')
class NotificationsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Post()
  @HttpCode(200)
  async receive(@Body() body: Notification): Promise<void> {
    await this.dataSource.query(INSERT_BARE_NOTIFICATION, [randomUUID(), body.event, body.object.id, body]);
  }
}

export async function open(settings: { databaseUrl: string; poolSize: number; adapter: AdapterName }) {
  const { databaseUrl, poolSize, adapter } = settings;

  @Module({
    imports: [TypeOrmModule.forRoot({ type: 'postgres', url: databaseUrl, poolSize })],
    controllers: [NotificationsController],
  })
  class BareModule {}

  const app = await NestFactory.create(BareModule, adapterOf(adapter), { logger: ['fatal'] });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const memory = new MemoryWatch();
  return {
    webhookUrl: () => `${url}/webhooks/payments`,
    watchMemory: () => memory.start(),
    mostMemory: () => memory.stop(),
  };
}
