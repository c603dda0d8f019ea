import { DataSource, type DataSourceOptions } from 'typeorm';

/** Any constant of our own: every process of the shop waits on the same number. */
const migrationLock = 4_077_351;

/** Opens the data source with every migration applied. Processes that start together take turns. */
export async function openMigrated(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = await new DataSource(options).initialize();
  const lockHolder = dataSource.createQueryRunner();
  try {
    await lockHolder.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    try {
      await dataSource.runMigrations();
    } finally {
      await lockHolder.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
    }
  } catch (error) {
    await lockHolder.release();
    await dataSource.destroy();
    throw error;
  }
  await lockHolder.release();
  return dataSource;
}
