import type { CreateIntent } from './create-intent.js';
import type { OrderEntity } from '../schema/order.entity.js';
import type { PaymentEntity } from '../schema/payment.entity.js';

/** A payment as it is recorded, before anything is asked of the service. */
export function newPayment(
  id: string,
  order: Pick<OrderEntity, 'id' | 'storeId'>,
  intent: CreateIntent,
  createdAt: Date,
): PaymentEntity {
  return {
    id,
    storeId: order.storeId,
    orderId: order.id,
    serviceId: null,
    status: 'submitting',
    currency: intent.currency,
    amountMinor: intent.amountMinor,
    authorizedMinor: 0,
    capturedMinor: 0,
    refundedMinor: 0,
    refundReservedMinor: 0,
    capture: intent.capture,
    method: intent.method,
    paymentMethodId: intent.paymentMethodId,
    cardData: intent.cardData,
    description: intent.description,
    metadata: { ...intent.metadata },
    part: intent.part,
    supersededAt: null,
    confirmationUrl: null,
    test: null,
    holdExpiresAt: null,
    holdPolicy: intent.holdPolicy,
    holdDueAt: null,
    holdTries: 0,
    cancellation: null,
    cardLast4: null,
    receiptStatus: null,
    object: null,
    createdAt,
    updatedAt: createdAt,
  };
}
