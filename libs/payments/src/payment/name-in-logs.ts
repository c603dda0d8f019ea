import type { Reader } from '../database/database.js';
import { PaymentEntity } from '../schema/payment.entity.js';

/** The id of a payment as a log says it: whoever reads one at night knows the order. */
export async function nameInLogs(from: Reader, id: string): Promise<string> {
  const found = await from
    .createQueryBuilder(PaymentEntity, 'payment')
    .innerJoin('payment.order', 'orders')
    .select('orders.reference', 'reference')
    .where('payment.id = :id', { id })
    .getRawOne<{ reference: string }>();
  return `${id} of order ${JSON.stringify(found?.reference)}`;
}
