import { formatAmount, type Amount } from '../../common/money.js';
import type { StoreScope } from '../../common/store.scope.js';
import { useIndexes } from '../../database/by-index.js';
import type { Database } from '../../database/database.js';
import { receiptsOf } from '../../operations/receipts/recorded-receipts.js';
import type { ResolvedPaymentsOptions } from '../../options/payments.module-definition.js';
import { findPayment, refundsOf, timelineOfPayment } from '../../payment/payment.reader.js';
import type { TimelineEntry } from '../../payment/timeline.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';
import { orderView, paymentView, type Order } from '../../views/payment.view.js';
import { receiptView, type Receipt } from '../../views/receipt.view.js';
import type { Refund } from '../../views/refund.view.js';
import { incidentsOf, type Incident } from '../incidents.js';
import { receiptProblemsOf, type ReceiptProblem } from '../receipts/receipt-problems.js';
import { needsOf } from '../search/payment-needs.js';
import type { FoundPayment } from '../search/payment-search.js';
import { deliveriesOf, type PaymentDelivery } from './payment-deliveries.js';
import { notificationsOf, type NotificationInFull } from './received-notifications.js';
import { operationsOf, type RequestInFull } from './recorded-operations.js';

/** All that is kept of one payment, from the database alone. */
export interface PaymentRecord extends FoundPayment {
  readonly order: Order;
  /** The service's object as it was applied last; null until its first answer. It names the buyer as the service does. */
  readonly object: Readonly<Record<string, unknown>> | null;
  /** Events and notifications in the order of their time. */
  readonly timeline: readonly TimelineEntry[];
  /** The runs of handlers and effects, in the order of their events. */
  readonly deliveries: readonly PaymentDelivery[];
  /** Requests, each with its body, the oldest first, at most 100. */
  readonly operations: readonly RequestInFull[];
  /** Notifications of the payment and its refunds, each with its last body, the oldest first. */
  readonly notifications: readonly NotificationInFull[];
  /** The oldest first. */
  readonly refunds: readonly Refund[];
  /** Receipts that were sent by themselves, the oldest first. */
  readonly receipts: readonly Receipt[];
  /** Receipts that failed, are late or are missing, the oldest first, at most 100. */
  readonly receiptProblems: readonly ReceiptProblem[];
  /** What happened to it and nobody has resolved, the oldest first, at most 100. */
  readonly incidents: readonly Incident[];
  /** What was paid in advance and neither settled nor given back; null: nothing. */
  readonly unsettled: { readonly since: Date; readonly left: Amount } | null;
}

const LIMIT = 100;

/**
 * Puts together all that is kept of one payment.
 * @throws PaymentNotFoundError
 */
export async function paymentRecord(
  database: Database,
  stores: StoreRegistry,
  options: ResolvedPaymentsOptions,
  paymentId: string,
  scope: StoreScope,
): Promise<PaymentRecord> {
  const { payment, order } = await findPayment(database, stores, paymentId, scope);
  const refunds = await refundsOf(database, paymentId);
  const needs = await database.transaction(async (manager) => {
    await useIndexes(manager);
    return needsOf(database, manager, [payment]);
  });
  const objectIds = [payment, ...refunds].flatMap(({ serviceId }) => serviceId ?? []);
  return {
    payment: paymentView(payment, order),
    needs: needs.get(paymentId) ?? [],
    order: orderView(order),
    object: payment.object && { ...payment.object },
    timeline: await timelineOfPayment(database, payment),
    deliveries: await deliveriesOf(database, paymentId),
    operations: await operationsOf(database, paymentId, LIMIT),
    notifications: await notificationsOf(database, payment.storeId, objectIds),
    refunds,
    receipts: await database.read(async (from) => (await receiptsOf(from, paymentId)).map(receiptView)),
    receiptProblems: await receiptProblemsOf(database, options, paymentId, LIMIT),
    incidents: await incidentsOf(database, stores, paymentId, LIMIT),
    unsettled: unsettledOf(payment),
  };
}

function unsettledOf({
  unsettledSince,
  unsettledMinor,
  currency,
}: PaymentsPaymentEntity): PaymentRecord['unsettled'] {
  if (unsettledSince === null) return null;
  return { since: unsettledSince, left: formatAmount(unsettledMinor, currency) };
}
