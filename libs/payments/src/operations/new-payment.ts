import type { StoredConfirmation } from '../api/objects/confirmation.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import { intentKeyOf } from '../payment/intent-key.js';
import type { MarkedPayment } from '../payment/payment-mark.js';
import { receiptDigest } from '../receipts/receipt-digest.js';
import { prepaidMinor } from '../receipts/unsettled.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/** What a payment is made of: what its mark says, and the rest of what was asked for. */
interface SaidPayment
  extends MarkedPayment, Pick<PaymentsPaymentEntity, 'currency' | 'description' | 'metadata'> {
  /** Its type alone: where the buyer returns to is in the request. null: there is nothing for the buyer to confirm. */
  readonly confirmation: Pick<StoredConfirmation, 'type'> | null;
}

/** A payment as it is recorded, before any request to the service. */
export function newPayment(
  id: string,
  order: Pick<PaymentsOrderEntity, 'id' | 'storeId'>,
  said: SaidPayment,
  traceparent: string | null,
): PaymentsPaymentEntity {
  const { storeId } = order;
  const { part, tryNumber, orderReference: reference } = said;
  const createdAt = new Date(0);
  return {
    id,
    storeId,
    orderId: order.id,
    serviceId: null,
    status: 'submitting',
    currency: said.currency,
    amountMinor: said.amountMinor,
    authorizedMinor: 0,
    capturedMinor: 0,
    refundedMinor: 0,
    refundReservedMinor: 0,
    capture: said.capture,
    method: said.method,
    paymentMethodId: said.paymentMethodId,
    cardData: said.cardData,
    savePaymentMethod: said.savePaymentMethod,
    description: said.description,
    metadata: { ...said.metadata },
    part,
    tryNumber,
    intentKey: intentKeyOf(storeId, { reference }, { part, tryNumber }),
    supersededAt: null,
    confirmation: said.confirmation && { type: said.confirmation.type },
    test: null,
    holdExpiresAt: null,
    holdPolicy: said.holdPolicy,
    holdDueAt: null,
    holdTries: 0,
    keepsDue: false,
    cancellation: null,
    cardLast4: null,
    receiptStatus: null,
    receiptsAfter: said.receiptsAfter,
    receiptDigest: said.receiptDigest,
    prepaidMinor: said.prepaidMinor,
    unsettledMinor: 0,
    unsettledSince: null,
    unsettledDueAt: null,
    object: null,
    traceparent,
    createdAt,
    updatedAt: createdAt,
  };
}

/** What a create says of the payment that it opens. */
export function saidOf(storeId: string, intent: CreateIntent, tryNumber: number) {
  const { receipt, part, orderReference: reference } = intent;
  const salt = intentKeyOf(storeId, { reference }, { part, tryNumber });
  const said = {
    receiptDigest: receipt && receiptDigest(receipt, salt),
    prepaidMinor: receipt ? prepaidMinor(receipt) : 0,
  };
  return { ...intent, ...said, tryNumber };
}
