import type { EntityManager } from 'typeorm';
import { isDealObject } from '../api/objects/deal.js';
import { isPaymentMethodObject } from '../api/objects/payment-method.js';
import { isPayoutObject } from '../api/objects/payout.js';
import { isHoldPolicy } from '../common/hold-policy.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsReceiptEntity } from '../schema/receipt.entity.js';
import { isRecoveryReason } from '../schema/recovery.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { PaymentsStoreEntity } from '../schema/store.entity.js';
import {
  databaseEventNames,
  dealEventNames,
  holdEventNames,
  orderEventNames,
  paymentEventNames,
  paymentMethodEventNames,
  payoutEventNames,
  receiptEventNames,
  refundEventNames,
  storeEventNames,
  type EventName,
  type DatabaseEvent,
  type EventOf,
  type HoldEvent,
} from '../views/events.js';
import { orderView, paymentView } from '../views/payment.view.js';
import { receiptView } from '../views/receipt.view.js';
import { refundView } from '../views/refund.view.js';
import { storeView } from '../views/store.view.js';
import type { DeliveryClaim } from './delivery-claims.js';

/**
 * The data of a recorded event for its handlers: payments and refunds as they are now, objects we keep no row of as they were
 * re-read.
 */
export async function loadEvent(
  manager: EntityManager,
  { event, eventId: id, orderReference: reference }: DeliveryClaim,
  found: PaymentsPaymentEntity | null,
): Promise<EventOf<EventName>> {
  const { name, evidence, object, createdAt: occurredAt } = event;
  const base = { id, evidence, occurredAt };
  const ofPayment = () => {
    if (found === null || reference === null) throw new Error(`The event ${name} has no payment.`);
    return { ...base, orderReference: reference, payment: paymentView(found, { reference }) };
  };
  if (isOneOf(paymentEventNames, name)) return { ...ofPayment(), name };
  if (isOneOf(orderEventNames, name)) {
    const order = await manager.findOneByOrFail(PaymentsOrderEntity, { id: event.subjectId });
    return { ...ofPayment(), name, order: orderView(order) };
  }
  if (isOneOf(holdEventNames, name)) return { ...ofPayment(), name, hold: parseHold(evidence) };
  if (isOneOf(refundEventNames, name)) {
    const refund = await manager.findOneByOrFail(PaymentsRefundEntity, { id: event.subjectId });
    return { ...ofPayment(), name, refund: refundView(refund) };
  }
  if (isOneOf(receiptEventNames, name)) {
    const { subjectType, subjectId } = event;
    const receipt =
      subjectType === 'receipt'
        ? await manager.findOneByOrFail(PaymentsReceiptEntity, { id: subjectId })
        : null;
    const refundId = subjectType === 'refund' ? subjectId : receipt?.refundId;
    const refund = refundId ? await manager.findOneByOrFail(PaymentsRefundEntity, { id: refundId }) : null;
    return {
      ...ofPayment(),
      name,
      refund: refund && refundView(refund),
      receipt: receipt && receiptView(receipt),
    };
  }
  if (isOneOf(payoutEventNames, name) && isPayoutObject(object)) return { ...base, name, payout: object };
  if (isOneOf(dealEventNames, name) && isDealObject(object)) return { ...base, name, deal: object };
  if (isOneOf(paymentMethodEventNames, name) && isPaymentMethodObject(object))
    return { ...base, name, paymentMethod: object };
  if (isOneOf(storeEventNames, name))
    return {
      ...base,
      name,
      store: storeView(await manager.findOneByOrFail(PaymentsStoreEntity, { id: event.storeId })),
    };
  if (isOneOf(databaseEventNames, name)) return { ...base, name, ...parseRollback(evidence) };
  throw new Error(`Handlers cannot handle ${name}.`);
}

function parseRollback({
  from,
  to,
  reason,
}: Record<string, unknown>): Pick<DatabaseEvent, 'from' | 'to' | 'reason'> {
  if (typeof from !== 'string' || typeof to !== 'string' || !isRecoveryReason(reason))
    throw new Error('The evidence of a database that was rolled back says neither since when nor why.');
  return { from: new Date(from), to: new Date(to), reason };
}

function parseHold({ expiresAt, timeLeftMs, policy }: Record<string, unknown>): HoldEvent['hold'] {
  return {
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : null,
    timeLeftMs: typeof timeLeftMs === 'number' ? timeLeftMs : null,
    policy: isHoldPolicy(policy) ? policy : null,
  };
}

function isOneOf<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((known) => known === name);
}
