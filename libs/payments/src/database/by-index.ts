import type { EntityManager } from 'typeorm';

/**
 * For the rest of the transaction every table is read through an index, in its order, as far as a LIMIT asks for rows. Without
 * statistics, as after an import, PostgreSQL takes a store for one of two hundred, and would collect and sort what it has for it.
 */
export async function readByIndex(manager: EntityManager): Promise<void> {
  await manager.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
}
