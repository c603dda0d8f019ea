import { headOf } from '../database/by-index.js';
import type { Database } from '../database/database.js';
import type { NotificationStep } from '../schema/notification.entity.js';

/**
 * SQL of the condition and the order of what is ready for a step, of one store; a LIMIT must follow. The step is the first column
 * of the index, and not a constant: no other index begins with it, and no statistics say how common it is.
 */
export function headOfStep(database: Database, of: string, storeId: string, step: NotificationStep): string {
  const where = { step: `(SELECT '${step}'::text)`, store_id: storeId };
  return `${of}.ready_at IS NOT NULL AND ${headOf({ of, where, time: 'ready_at', upTo: database.now })}`;
}
