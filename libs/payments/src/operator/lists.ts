import { Inject, Injectable } from '@nestjs/common';
import type { PaymentStatus } from '../common/payment-status.js';
import type { StoreScope } from '../common/store.scope.js';
import { Database } from '../database/database.js';
import { RefusedSenders, type RefusedSender } from '../notifications/door/sender.guard.js';
import { RESOLVED_OPTIONS, type ResolvedPaymentsOptions } from '../options/payments.module-definition.js';
import { findPayment } from '../payment/payment.reader.js';
import { CommitMark } from '../rollback/commit-mark.js';
import { detachedAt, recoveries, type Recovery } from '../rollback/recovery-windows.js';
import { RateLimiter } from '../stores/rate-limiter.js';
import { StoreRegistry } from '../stores/store.registry.js';
import type { AuditPage, KeptAuditInFull } from './audits/kept-audit.js';
import { auditPage, keptAudit } from './audits/kept-audits.js';
import { readBacklog, type Backlog } from './backlog.js';
import type { BuyerDetail } from './buyer/buyer-detail.js';
import { maskedBuyer } from './buyer/buyer-details.js';
import { DailyMoney } from './days/daily-money.js';
import type { DayOfMoney } from './days/day-tally.js';
import type { DaysShape } from './days/days.input.js';
import { failedOfOrder, failingDeliveries, type FailedDelivery } from './failed-deliveries.js';
import { foreignNotifications, type ForeignNotification } from './foreign-notification.js';
import { openIncidents, type Incident } from './incidents.js';
import { deliveriesOf, type PaymentDelivery } from './lists/payment-deliveries.js';
import { paymentRecord, type PaymentRecord } from './lists/payment-record.js';
import {
  pastNotifications,
  waitingNotifications,
  type StoredNotification,
} from './lists/received-notifications.js';
import { unsettledOperations, type RecordedOperation } from './lists/recorded-operations.js';
import { storeInFull, type StoreInFull } from './lists/store-in-full.js';
import { storePage, type StorePage } from './lists/store-list.js';
import { paidGoodsOf, type PaidGoods } from './receipts/paid-goods.js';
import { receiptProblems, receiptProblemsOfOrder, type ReceiptProblem } from './receipts/receipt-problems.js';
import { unsettledPage, type UnsettledPage } from './receipts/unsettled-prepayments.js';
import { holdsPage } from './search/held-payments.js';
import { countPayments, searchPayments, type Counted, type PaymentPage } from './search/payment-search.js';
import type { PaymentSearchShape } from './search/search.input.js';

/** What needs a person at one order, or soon may. */
export interface OrderProblems {
  /** Deliveries of its events that have failed, whether given up or not, the oldest events first, at most 100. */
  readonly deliveries: readonly FailedDelivery[];
  /** Receipts that failed, are late or are missing, the oldest first, at most 100. */
  readonly receipts: readonly ReceiptProblem[];
}

/** More is not read by a person, and should cost nothing. */
const LIMIT = 100;

/** What a person reads through, whether anything is wrong with it or not. Nothing is changed by it. */
@Injectable()
export class Lists {
  readonly #money: DailyMoney;

  constructor(
    private readonly database: Database,
    private readonly stores: StoreRegistry,
    private readonly mark: CommitMark,
    private readonly limiter: RateLimiter,
    private readonly refusedSenders: RefusedSenders,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {
    this.#money = new DailyMoney(database);
  }

  now(): Promise<Date> {
    return this.database.businessTime();
  }

  backlog(): Promise<Backlog> {
    return readBacklog(this.database, this.stores, this.mark);
  }

  /** @throws StoreNotFoundError */
  async search(scope: StoreScope, search: PaymentSearchShape): Promise<PaymentPage> {
    return searchPayments(this.database, await this.#idOf(scope), search);
  }

  /** @throws StoreNotFoundError */
  async counts(scope: StoreScope): Promise<Record<PaymentStatus, Counted>> {
    return countPayments(this.database, await this.#idOf(scope));
  }

  /** @throws StoreNotFoundError */
  async holds(scope: StoreScope, cursor?: string): Promise<PaymentPage> {
    return holdsPage(this.database, await this.#idOf(scope), cursor);
  }

  /** @throws StoreNotFoundError */
  async days(scope: StoreScope, period: DaysShape): Promise<DayOfMoney[]> {
    return this.#money.days(await this.#idOf(scope), period);
  }

  /** @throws PaymentNotFoundError */
  record(paymentId: string, scope: StoreScope): Promise<PaymentRecord> {
    return paymentRecord(this.database, this.stores, this.options, paymentId, scope);
  }

  /** @throws PaymentNotFoundError */
  async deliveries(paymentId: string, scope: StoreScope): Promise<PaymentDelivery[]> {
    const { payment } = await findPayment(this.database, this.stores, paymentId, scope);
    return deliveriesOf(this.database, payment.id);
  }

  /** @throws PaymentNotFoundError */
  buyer(paymentId: string, scope: StoreScope): Promise<BuyerDetail[]> {
    return maskedBuyer(this.database, this.stores, paymentId, scope);
  }

  /** @throws PaymentNotFoundError */
  paidGoods(paymentId: string, scope: StoreScope): Promise<PaidGoods | null> {
    return paidGoodsOf(this.database, this.stores, paymentId, scope);
  }

  operations(): Promise<RecordedOperation[]> {
    return unsettledOperations(this.database, this.stores, LIMIT);
  }

  notifications(state: 'waiting' | 'over'): Promise<StoredNotification[]> {
    return (state === 'waiting' ? waitingNotifications : pastNotifications)(
      this.database,
      this.stores,
      LIMIT,
    );
  }

  storePage(cursor?: string): Promise<StorePage> {
    return storePage(this.database, this.stores, cursor);
  }

  /** @throws StoreNotFoundError */
  store(scope: StoreScope): Promise<StoreInFull> {
    return storeInFull(this.database, this.stores, this.limiter, scope);
  }

  failing(handlerId: string | null): Promise<FailedDelivery[]> {
    return failingDeliveries(this.database, LIMIT, handlerId);
  }

  /** @throws StoreNotFoundError */
  async ofOrder(reference: string, scope: StoreScope): Promise<OrderProblems> {
    const id = await this.#idOf(scope);
    const [deliveries, receipts] = await Promise.all([
      failedOfOrder(this.database, id, reference, LIMIT),
      receiptProblemsOfOrder(this.database, this.options, id, reference, LIMIT),
    ]);
    return { deliveries, receipts };
  }

  incidents(): Promise<Incident[]> {
    return openIncidents(this.database, this.stores, LIMIT);
  }

  receipts(): Promise<ReceiptProblem[]> {
    return receiptProblems(this.database, this.stores, this.options, LIMIT);
  }

  /** @throws StoreNotFoundError */
  async unsettled(scope: StoreScope, cursor?: string): Promise<UnsettledPage> {
    return unsettledPage(this.database, this.options, await this.#idOf(scope), cursor);
  }

  foreign(): Promise<ForeignNotification[]> {
    return foreignNotifications(this.database, this.stores, LIMIT);
  }

  refused(): RefusedSender[] {
    return this.refusedSenders.list();
  }

  recoveries(): Promise<Recovery[]> {
    return recoveries(this.database);
  }

  detachedAt(): Promise<Date | null> {
    return detachedAt(this.database);
  }

  audits(scope: StoreScope, cursor?: string): Promise<AuditPage> {
    return auditPage(this.database, this.stores, scope, cursor);
  }

  audit(id: string): Promise<KeptAuditInFull | null> {
    return keptAudit(this.database, this.stores, id);
  }

  async #idOf(scope: StoreScope): Promise<string> {
    const { id } = await this.stores.find(scope);
    return id;
  }
}
