import type { DataSource, EntityManager } from 'typeorm';

/** The data source of a manager or query runner, in TypeORM 0.3 and in 1: `dataSource`, the new name, does not exist in 0.3. */
export function dataSourceOf({ connection }: Pick<EntityManager, 'connection'>): DataSource {
  return connection;
}
