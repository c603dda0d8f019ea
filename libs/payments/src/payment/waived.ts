import type { PaymentEntity } from '../schema/payment.entity.js';
import { discountOf } from './discount.js';

type Sums = Pick<
  PaymentEntity,
  | 'status'
  | 'amountMinor'
  | 'authorizedMinor'
  | 'capturedMinor'
  | 'refundedMinor'
  | 'keepsDue'
  | 'supersededAt'
>;

/** What its order need not pay after all for this payment: it counts like money, until all of the payment's money is returned. */
export function waivedOf(payment: Sums): number {
  return discountOf(payment) + letGoOf(payment);
}

/** What a capture of less gave back of the hold. A payment that was replaced lets nothing go: its order is paid by another. */
export function letGoOf({
  status,
  authorizedMinor,
  capturedMinor,
  refundedMinor,
  keepsDue,
  supersededAt,
}: Sums): number {
  const counts = status === 'succeeded' && keepsDue === false && supersededAt === null;
  return counts && capturedMinor > refundedMinor ? authorizedMinor - capturedMinor : 0;
}
