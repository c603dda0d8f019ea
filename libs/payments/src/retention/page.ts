import { useIndexes } from '../database/by-index.js';
import type { Database } from '../database/database.js';

/** Rows that one statement looks at, and may change: few enough to hold no lock for long. */
export const BATCH = 1_000;

export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** The result of one statement: how many rows it looked at and changed, and where the next one continues; null: at no other. */
interface Page<Place> {
  readonly seen: number;
  readonly changed: number;
  readonly to: Place | null;
}

/** Runs a statement for the next batch of a store's rows. */
export async function nextPage<Place>(
  database: Database,
  sql: string,
  parameters: readonly string[],
): Promise<Page<Place>> {
  const [page] = await database.transaction(async (manager) => {
    await useIndexes(manager);
    return manager.query<Page<Place>[]>(sql, [...parameters]);
  });
  if (!page) throw new Error('PostgreSQL did not return what it changed.');
  return { ...page, to: page.seen < BATCH ? null : page.to };
}
