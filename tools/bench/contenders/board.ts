/** A shop with the operator's board, whose pages are asked for over HTTP; beside them, rows read through the same pool. */
import { PaymentsBoardModule } from '@holdfast/board';
import { PaymentsModule } from '@holdfast/payments';
import { Injectable, Module, type CanActivate } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';

import { timed } from './at-once.js';
import { account } from './payment-object.js';

export type Board = Awaited<ReturnType<typeof open>>;

@Injectable()
class AnyoneGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

export async function open(settings: { databaseUrl: string; serviceUrl: string }) {
  const { databaseUrl, serviceUrl } = settings;

  @Module({
    imports: [
      ScheduleModule.forRoot(),
      TypeOrmModule.forRoot({ type: 'postgres', url: databaseUrl, autoLoadEntities: true, poolSize: 10 }),
      PaymentsModule.forRoot({ isGlobal: true, ...account, serviceUrl, sweeps: false }),
      PaymentsBoardModule.forRoot({
        path: 'board',
        guard: AnyoneGuard,
        actor: () => 'bench',
        actions: () => 'all',
        timeZone: 'Europe/Moscow',
      }),
    ],
  })
  class ShopModule {}

  const app = await NestFactory.create(ShopModule, { logger: ['fatal'], forceCloseConnections: true });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const dataSource = app.get<DataSource>(getDataSourceToken());

  return {
    url: () => `${url}/board`,

    /** Reads each of these payments by its primary key, one after the other. */
    async rows({ ids }: { ids: readonly string[] }) {
      const ms = await timed(async () => {
        for (const id of ids) await dataSource.query('SELECT * FROM payments_payments WHERE id = $1', [id]);
      });
      return { mean: ms / ids.length };
    },
  };
}
