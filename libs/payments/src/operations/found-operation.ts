import type { EntityManager } from 'typeorm';
import { derivedKey } from '../common/derived.js';
import { newId } from '../common/uuid.js';
import type { Database } from '../database/database.js';
import { PaymentsOperationEntity } from '../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { RecordedBody } from './personal-data.js';
import { fingerprint } from './request-body.js';

/** A request that was sent before the database forgot it, and whose object was found at the service. */
interface FoundOperation {
  readonly kind: 'create' | 'refund' | 'receipt';
  readonly refundId?: string | null;
  readonly receiptId?: string | null;
  readonly request: RecordedBody;
}

/**
 * Records that a request was made: it is over and never sent again. Nobody knows when it was sent, so it says nothing of the
 * service's clock either. Returns its id.
 */
export async function recordFound(
  manager: EntityManager,
  database: Database,
  { id: paymentId, storeId, intentKey }: Pick<PaymentsPaymentEntity, 'id' | 'storeId' | 'intentKey'>,
  { kind, refundId = null, receiptId = null, request }: FoundOperation,
): Promise<string> {
  const id = newId();
  await manager.insert(PaymentsOperationEntity, {
    id,
    storeId,
    paymentId,
    refundId,
    receiptId,
    kind,
    // Its own key may belong to a row that was refused because of it.
    idempotenceKey: `${derivedKey(intentKey, kind, refundId, receiptId)}.found`,
    ...request,
    hasPersonal: request.personal !== null,
    resendable: false,
    fingerprint: fingerprint(kind, request),
    outcome: 'confirmed',
    attempts: 1,
    recordedAt: () => database.now,
    settledAt: () => database.now,
  });
  return id;
}
