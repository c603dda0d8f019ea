import type { PaymentEntity } from '../schema/payment.entity.js';

/** What a payment takes over from the object that was read, beside its status. */
export type PaymentChange = Pick<
  PaymentEntity,
  | 'serviceId'
  | 'test'
  | 'authorizedMinor'
  | 'capturedMinor'
  | 'confirmationUrl'
  | 'holdExpiresAt'
  | 'holdDueAt'
  | 'holdTries'
  | 'cancellation'
  | 'cardLast4'
  | 'receiptStatus'
  | 'object'
>;
