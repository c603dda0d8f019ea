import { DataSource, type DataSourceOptions } from 'typeorm';

/** The error of a server that is unreachable, or refuses the login, with the setting that names it. */
async function open(options: DataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize();
  } catch (error) {
    const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer';
    throw new Error(
      `The database in DATABASE_URL cannot be opened: ${reason}. Start it and check the address, or leave DATABASE_URL ` +
        'out for the embedded one.',
      { cause: error },
    );
  }
}

/** Any constant of our own: every process of the shop waits on the same number. */
const migrationLock = 4_077_351;

/** Opens the data source with every migration applied. Processes that start together take turns. */
export async function openMigrated(options: DataSourceOptions): Promise<DataSource> {
  const dataSource = await open(options);
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
