import type { OrderEntity } from './order.entity.js';
import { PaymentEntity } from './payment.entity.js';

/** The fields of a payment that change after its create. */
export const paymentFields = [
  'serviceId',
  'status',
  'authorizedMinor',
  'capturedMinor',
  'refundedMinor',
  'refundReservedMinor',
  'supersededAt',
  'confirmation',
  'test',
  'holdExpiresAt',
  'holdDueAt',
  'holdTries',
  'cancellation',
  'cardLast4',
  'receiptStatus',
  'unsettledMinor',
  'unsettledSince',
  'unsettledDueAt',
  'object',
] as const satisfies readonly (keyof PaymentEntity)[];
export type PaymentFields = Pick<PaymentEntity, (typeof paymentFields)[number]>;

/** The fields of a payment that its create sets for good. */
export const intentFields = [
  'id',
  'storeId',
  'orderId',
  'currency',
  'amountMinor',
  'capture',
  'method',
  'paymentMethodId',
  'cardData',
  'description',
  'metadata',
  'part',
  'tryNumber',
  'intentKey',
  'holdPolicy',
  'receiptsAfter',
  'receiptDigest',
  'prepaidMinor',
] as const satisfies readonly (keyof PaymentEntity)[];

type Written = (typeof paymentFields)[number] | (typeof intentFields)[number];
type Forgotten = Exclude<keyof PaymentEntity, Written | 'store' | 'order' | 'createdAt' | 'updatedAt'>;
/** A field of the entity that nothing writes does not compile. */
export const allAreWritten: [Forgotten] extends [never] ? true : Forgotten = true;

/** The fields of an order that change after its first payment. */
export const orderFields = [
  'totalDueMinor',
  'paidMinor',
  'heldMinor',
  'refundedMinor',
  'state',
] as const satisfies readonly (keyof OrderEntity)[];
export type OrderFields = Pick<OrderEntity, (typeof orderFields)[number]>;

/** A payment as it is with other values of some fields. */
export function withFields(payment: PaymentEntity, fields: Partial<PaymentEntity>): PaymentEntity {
  return Object.assign(new PaymentEntity(), payment, fields);
}
