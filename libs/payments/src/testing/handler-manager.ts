import type { INestApplicationContext } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { EntityManager, type DataSource } from 'typeorm';
import { PAYMENTS_DATA_SOURCE } from '../options/payments.module-definition.js';
import { HandlerManagerMissingError } from './testing.errors.js';

/**
 * Runs `work` in a transaction of the data source that the module uses in this application, or of the default one where there is no module.
 * Without a database the manager is there as well, and complains only when it is used.
 */
export function withManager<T>(
  app: INestApplicationContext,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  const dataSource = dataSourceUnder(app, PAYMENTS_DATA_SOURCE) ?? dataSourceUnder(app, getDataSourceToken());
  return dataSource ? dataSource.transaction(work) : work(missingManager());
}

function dataSourceUnder(
  app: INestApplicationContext,
  token: ReturnType<typeof getDataSourceToken> | symbol,
): DataSource | null {
  try {
    return app.get<DataSource>(token, { strict: false });
  } catch {
    return null;
  }
}

function missingManager(): EntityManager {
  return new Proxy<EntityManager>(Object.create(EntityManager.prototype), {
    get: (_target, property) => {
      throw new HandlerManagerMissingError(String(property));
    },
  });
}
