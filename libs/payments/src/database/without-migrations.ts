import { DataSource } from 'typeorm';

/** What a data source may do to its schema as it is opened: by `migrationsRun`, `synchronize` and `dropSchema`. */
const changes = {
  runMigrations: async () => [],
  synchronize: async () => undefined,
  dropDatabase: async () => undefined,
} as const satisfies Partial<DataSource>;

/**
 * Has the host's data sources opened as they are, and closed again if `work` fails. A command only looks: run by the code of tomorrow, it
 * must not migrate the database of today. Their options are inside the host, so nothing but the class itself can be told; it is as
 * before once `work` has ended.
 */
export async function withoutMigrations<T>(work: () => Promise<T>): Promise<T> {
  const own = Object.getOwnPropertyDescriptors(DataSource.prototype);
  const opening: Promise<DataSource>[] = [];
  Object.assign(DataSource.prototype, {
    ...changes,
    initialize(this: DataSource) {
      const opened = own.initialize.value?.call(this) ?? Promise.resolve(this);
      opening.push(opened);
      return opened;
    },
  });
  try {
    return await work();
  } catch (error) {
    for (const opened of await Promise.allSettled(opening))
      if (opened.status === 'fulfilled' && opened.value.isInitialized) await opened.value.destroy();
    throw error;
  } finally {
    Object.defineProperties(DataSource.prototype, own);
  }
}
