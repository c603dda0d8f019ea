import type { StoreScope } from '../../common/store.scope.js';
import type { Database, Reader } from '../../database/database.js';
import { receiptsOf } from '../../operations/receipts/recorded-receipts.js';
import { findPayment } from '../../payment/payment.reader.js';
import { aboutPayment, recordEvent } from '../../payment/record-event.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';
import { detailsIn, masked, type BuyerDetail } from './buyer-detail.js';

/** @throws PaymentNotFoundError */
export async function maskedBuyer(
  database: Database,
  stores: StoreRegistry,
  paymentId: string,
  scope: StoreScope,
): Promise<BuyerDetail[]> {
  const { payment } = await findPayment(database, stores, paymentId, scope);
  const details = await database.read((from) => detailsOf(from, payment));
  return details.map(masked);
}

/**
 * Nobody sees them but by a line of the timeline: they are read in the transaction that writes it.
 * @throws PaymentNotFoundError
 */
export async function showBuyer(
  database: Database,
  stores: StoreRegistry,
  paymentId: string,
  { by }: { readonly by: string },
  scope: StoreScope,
): Promise<BuyerDetail[]> {
  const { payment } = await findPayment(database, stores, paymentId, scope);
  return database.transaction(async (manager) => {
    await recordEvent(manager, database, aboutPayment(payment), {
      name: 'payment.noted',
      cause: 'operator',
      evidence: { by, note: "Saw the buyer's details" },
    });
    return detailsOf(manager, payment);
  });
}

/** What was said to the service, the oldest first, and what it says itself. */
async function detailsOf(
  from: Reader,
  { id: paymentId, object }: PaymentsPaymentEntity,
): Promise<BuyerDetail[]> {
  const operations = await from.find(PaymentsOperationEntity, {
    where: { paymentId },
    select: { id: true, personal: true },
    order: { recordedAt: 'ASC' },
  });
  const receipts = await receiptsOf(from, paymentId);
  const said = [...operations, ...receipts].map(({ personal }): unknown => personal && JSON.parse(personal));
  return detailsIn([...said, object]);
}
