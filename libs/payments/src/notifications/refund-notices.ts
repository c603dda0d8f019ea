import type { PaymentsApi } from '../api/payments-api.js';
import { parseServiceRefund } from '../api/service-refund.js';
import type { Database } from '../database/database.js';
import { askForRefunds } from '../payment/due.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import type { StoreCall } from '../stores/store-turns.js';

/**
 * Re-reads the refund and, if it is news about a payment of ours, makes that payment due. A refund of an unknown payment is
 * left alone: should the payment become known, its own re-read finds the refund.
 * @throws ServiceError if the service gives no answer
 */
export async function handleRefundNotice(
  database: Database,
  api: PaymentsApi,
  call: StoreCall,
  storeId: string,
  refundServiceId: string,
): Promise<void> {
  const {
    id: serviceId,
    paymentId,
    status,
  } = parseServiceRefund(await api.fetchRefund(refundServiceId, call));
  const payment = await database.read(async (from) => {
    const known = await from.findOneBy(PaymentsRefundEntity, { storeId, serviceId });
    return known?.status === status
      ? null
      : from.findOneBy(PaymentsPaymentEntity, { storeId, serviceId: paymentId });
  });
  if (payment) await database.transaction((manager) => askForRefunds(manager, database, payment));
}
