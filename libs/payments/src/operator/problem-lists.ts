import { Injectable } from '@nestjs/common';
import type { StoreScope } from '../common/store.scope.js';
import { RefusedSenders, type RefusedSender } from '../notifications/door/sender.guard.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { FailedDeliveries, type FailedDelivery } from './failed-deliveries.js';
import { ForeignNotificationReader, type ForeignNotification } from './foreign-notification.js';
import { Incidents, type Incident } from './incidents.js';
import { ParkedDeliveries, type ParkedDelivery } from './parked-deliveries.js';
import { ReceiptProblems, type ReceiptProblem } from './receipts/receipt-problems.js';
import { UnsettledPrepayments, type UnsettledPage } from './receipts/unsettled-prepayments.js';

/** What needs a person at one order, or soon may. */
export interface OrderProblems {
  /** Deliveries of its events that have failed, whether given up or not, the oldest events first, at most 100. */
  readonly deliveries: readonly FailedDelivery[];
  /** Receipts that failed, are late or are missing, the oldest first, at most 100. */
  readonly receipts: readonly ReceiptProblem[];
}

/** What needs a person at one payment, the oldest first, at most 100 of each. */
interface PaymentProblems {
  readonly receiptProblems: readonly ReceiptProblem[];
  readonly incidents: readonly Incident[];
}

/** More is not read by a person, and should cost nothing. */
const LIMIT = 100;

/** What a person reads through: at most a hundred of each. */
@Injectable()
export class ProblemLists {
  constructor(
    private readonly stores: StoreRegistry,
    private readonly parkedDeliveries: ParkedDeliveries,
    private readonly failedDeliveries: FailedDeliveries,
    private readonly receiptProblems: ReceiptProblems,
    private readonly openIncidents: Incidents,
    private readonly prepayments: UnsettledPrepayments,
    private readonly foreignNotifications: ForeignNotificationReader,
    private readonly refusedSenders: RefusedSenders,
  ) {}

  parked(handlerId: string | null): Promise<ParkedDelivery[]> {
    return this.parkedDeliveries.list(LIMIT, handlerId);
  }

  failing(handlerId: string | null): Promise<FailedDelivery[]> {
    return this.failedDeliveries.list(LIMIT, handlerId);
  }

  receipts(): Promise<ReceiptProblem[]> {
    return this.receiptProblems.list(LIMIT);
  }

  incidents(): Promise<Incident[]> {
    return this.openIncidents.list(LIMIT);
  }

  async ofPayment(paymentId: string): Promise<PaymentProblems> {
    const [receiptProblems, incidents] = await Promise.all([
      this.receiptProblems.ofPayment(paymentId, LIMIT),
      this.openIncidents.ofPayment(paymentId, LIMIT),
    ]);
    return { receiptProblems, incidents };
  }

  /** @throws StoreNotFoundError */
  async ofOrder(reference: string, scope: StoreScope): Promise<OrderProblems> {
    const { id } = await this.stores.find(scope);
    const [deliveries, receipts] = await Promise.all([
      this.failedDeliveries.ofOrder(id, reference, LIMIT),
      this.receiptProblems.ofOrder(id, reference, LIMIT),
    ]);
    return { deliveries, receipts };
  }

  /** @throws StoreNotFoundError */
  async unsettled(scope: StoreScope, cursor?: string): Promise<UnsettledPage> {
    const { id } = await this.stores.find(scope);
    return this.prepayments.page(id, cursor);
  }

  foreign(): Promise<ForeignNotification[]> {
    return this.foreignNotifications.list(LIMIT);
  }

  refused(): RefusedSender[] {
    return this.refusedSenders.list();
  }
}
