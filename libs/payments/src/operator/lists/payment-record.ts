import { Injectable } from '@nestjs/common';
import { ReceiptCalls } from '../../calls/receipts/receipt-calls.js';
import { formatAmount, type Amount } from '../../common/money.js';
import type { StoreScope } from '../../common/store.scope.js';
import { useIndexes } from '../../database/by-index.js';
import { Database } from '../../database/database.js';
import { PaymentReader } from '../../payment/payment.reader.js';
import type { TimelineEntry } from '../../payment/timeline.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { orderView, paymentView, type Order } from '../../views/payment.view.js';
import type { Receipt } from '../../views/receipt.view.js';
import type { Refund } from '../../views/refund.view.js';
import type { Incident } from '../incidents.js';
import { ProblemLists } from '../problem-lists.js';
import type { ReceiptProblem } from '../receipts/receipt-problems.js';
import { PaymentNeeds } from '../search/payment-needs.js';
import type { FoundPayment } from '../search/payment-search.js';
import { PaymentDeliveries, type PaymentDelivery } from './payment-deliveries.js';
import { ReceivedNotifications, type NotificationInFull } from './received-notifications.js';
import { RecordedOperations, type RequestInFull } from './recorded-operations.js';

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

/** Puts together all that is kept of one payment. */
@Injectable()
export class PaymentRecordReader {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentReader,
    private readonly receipts: ReceiptCalls,
    private readonly problems: ProblemLists,
    private readonly needs: PaymentNeeds,
    private readonly deliveries: PaymentDeliveries,
    private readonly operations: RecordedOperations,
    private readonly notifications: ReceivedNotifications,
  ) {}

  /** @throws PaymentNotFoundError */
  async read(paymentId: string, scope: StoreScope): Promise<PaymentRecord> {
    const { payment, order } = await this.payments.find(paymentId, scope);
    const refunds = await this.payments.refunds(paymentId, scope);
    const needs = await this.database.transaction(async (manager) => {
      await useIndexes(manager);
      return this.needs.of(manager, [payment]);
    });
    const objectIds = [payment, ...refunds].flatMap(({ serviceId }) => serviceId ?? []);
    return {
      payment: paymentView(payment, order),
      needs: needs.get(paymentId) ?? [],
      order: orderView(order),
      object: payment.object && { ...payment.object },
      timeline: await this.payments.timeline(paymentId, scope),
      deliveries: await this.deliveries.of(paymentId),
      operations: await this.operations.ofPayment(paymentId, LIMIT),
      notifications: await this.notifications.ofObjects(payment.storeId, objectIds),
      refunds,
      receipts: await this.receipts.list(paymentId, scope),
      ...(await this.problems.ofPayment(paymentId)),
      unsettled: unsettledOf(payment),
    };
  }

  /** @throws PaymentNotFoundError */
  async deliveriesOf(paymentId: string, scope: StoreScope): Promise<PaymentDelivery[]> {
    const { payment } = await this.payments.find(paymentId, scope);
    return this.deliveries.of(payment.id);
  }
}

function unsettledOf({
  unsettledSince,
  unsettledMinor,
  currency,
}: PaymentsPaymentEntity): PaymentRecord['unsettled'] {
  if (unsettledSince === null) return null;
  return { since: unsettledSince, left: formatAmount(unsettledMinor, currency) };
}
