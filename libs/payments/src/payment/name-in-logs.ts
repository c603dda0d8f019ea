import type { LogFields } from '../common/payments-log.js';
import type { Reader } from '../database/database.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/** The id of a payment as a log says it, for whoever reads one at night knows the order; and the fields that say the same. */
export async function nameInLogs(
  from: Reader,
  { id, storeId }: Pick<PaymentsPaymentEntity, 'id' | 'storeId'>,
): Promise<{ readonly name: string; readonly about: LogFields }> {
  const found = await from
    .createQueryBuilder(PaymentsPaymentEntity, 'payment')
    .innerJoin('payment.order', 'orders')
    .select('orders.reference', 'reference')
    .where('payment.id = :id', { id })
    .getRawOne<{ reference: string }>();
  const order = found?.reference;
  return { name: `${id} of order ${JSON.stringify(order)}`, about: { paymentId: id, storeId, order } };
}
