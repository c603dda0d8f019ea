import type { PaymentsOrderEntity } from './order.entity.js';
import { PaymentsPaymentEntity } from './payment.entity.js';

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
  'keepsDue',
  'cancellation',
  'cardLast4',
  'receiptStatus',
  'unsettledMinor',
  'unsettledSince',
  'unsettledDueAt',
  'object',
] as const satisfies readonly (keyof PaymentsPaymentEntity)[];
export type PaymentFields = Pick<PaymentsPaymentEntity, (typeof paymentFields)[number]>;

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
  'savePaymentMethod',
  'description',
  'metadata',
  'part',
  'tryNumber',
  'intentKey',
  'holdPolicy',
  'receiptsAfter',
  'receiptDigest',
  'prepaidMinor',
  'traceparent',
] as const satisfies readonly (keyof PaymentsPaymentEntity)[];

/** The fields of an order that change after its first payment. */
export const orderFields = [
  'totalDueMinor',
  'paidMinor',
  'heldMinor',
  'refundedMinor',
  'waivedMinor',
  'discountMinor',
  'letGoMinor',
  'state',
  'wasPaid',
] as const satisfies readonly (keyof PaymentsOrderEntity)[];
export type OrderFields = Pick<PaymentsOrderEntity, (typeof orderFields)[number]>;

type Dated = 'createdAt' | 'updatedAt';
interface Forgotten {
  readonly payment: Exclude<
    keyof PaymentsPaymentEntity,
    (typeof paymentFields | typeof intentFields)[number] | 'store' | 'order' | Dated
  >;
  /** Its first create sets its name and currency; each change counts the versions. */
  readonly order: Exclude<
    keyof PaymentsOrderEntity,
    (typeof orderFields)[number] | 'id' | 'storeId' | 'reference' | 'currency' | 'version' | 'store' | Dated
  >;
}
/** A field of an entity that nothing writes does not compile. */
export const allAreWritten: [Forgotten[keyof Forgotten]] extends [never] ? true : Forgotten = true;

/** A payment as it is with other values of some fields. */
export function withFields(
  payment: PaymentsPaymentEntity,
  fields: Partial<PaymentsPaymentEntity>,
): PaymentsPaymentEntity {
  return Object.assign(new PaymentsPaymentEntity(), payment, fields);
}
