import type { StoreScope } from '../common/store.scope.js';
import type { Database } from '../database/database.js';
import { findPayment } from '../payment/payment.reader.js';
import { aboutPayment, recordEvent } from '../payment/record-event.js';
import type { StoreRegistry } from '../stores/store.registry.js';

/** Who says what. */
export interface Note {
  /** Who, 1 to 128 characters. */
  readonly by: string;
  /** What they do or have found, and why, 1 to 1,000 characters. */
  readonly note: string;
}

/** @throws PaymentNotFoundError */
export async function addNote(
  database: Database,
  stores: StoreRegistry,
  paymentId: string,
  { by, note }: Note,
  scope: StoreScope,
): Promise<void> {
  const { payment } = await findPayment(database, stores, paymentId, scope);
  await database.transaction((manager) =>
    recordEvent(manager, database, aboutPayment(payment), {
      name: 'payment.noted',
      cause: 'operator',
      evidence: { by, note },
    }),
  );
}
