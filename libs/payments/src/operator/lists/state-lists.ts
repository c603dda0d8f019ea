import { Injectable } from '@nestjs/common';
import type { StoreScope } from '../../common/store.scope.js';
import { Database } from '../../database/database.js';
import type { BuyerDetail } from '../buyer/buyer-detail.js';
import { BuyerDetails } from '../buyer/buyer-details.js';
import { PaidGoodsReader, type PaidGoods } from '../receipts/paid-goods.js';
import { HandlerList, type HandlerState } from './handler-list.js';
import type { PaymentDelivery } from './payment-deliveries.js';
import { PaymentRecordReader, type PaymentRecord } from './payment-record.js';
import { ReceivedNotifications, type StoredNotification } from './received-notifications.js';
import { RecordedOperations, type RecordedOperation } from './recorded-operations.js';
import { StoreReader, type StoreInFull } from './store-in-full.js';
import type { StorePage } from './store-list.js';

/** More is not read by a person, and should cost nothing. */
const LIMIT = 100;

/** What is recorded, whether anything is wrong with it or not. */
@Injectable()
export class StateLists {
  constructor(
    private readonly database: Database,
    private readonly records: PaymentRecordReader,
    private readonly requests: RecordedOperations,
    private readonly received: ReceivedNotifications,
    private readonly handlerList: HandlerList,
    private readonly storeReader: StoreReader,
    private readonly buyers: BuyerDetails,
    private readonly goods: PaidGoodsReader,
  ) {}

  now(): Promise<Date> {
    return this.database.businessTime();
  }

  /** @throws PaymentNotFoundError */
  record(paymentId: string, scope: StoreScope): Promise<PaymentRecord> {
    return this.records.read(paymentId, scope);
  }

  /** @throws PaymentNotFoundError */
  deliveries(paymentId: string, scope: StoreScope): Promise<PaymentDelivery[]> {
    return this.records.deliveriesOf(paymentId, scope);
  }

  /** @throws PaymentNotFoundError */
  buyer(paymentId: string, scope: StoreScope): Promise<BuyerDetail[]> {
    return this.buyers.masked(paymentId, scope);
  }

  /** @throws PaymentNotFoundError */
  showBuyer(paymentId: string, by: { readonly by: string }, scope: StoreScope): Promise<BuyerDetail[]> {
    return this.buyers.show(paymentId, by, scope);
  }

  /** @throws PaymentNotFoundError */
  paidGoods(paymentId: string, scope: StoreScope): Promise<PaidGoods | null> {
    return this.goods.of(paymentId, scope);
  }

  operations(): Promise<RecordedOperation[]> {
    return this.requests.unsettled(LIMIT);
  }

  notifications(state: 'waiting' | 'over'): Promise<StoredNotification[]> {
    return state === 'waiting' ? this.received.waiting(LIMIT) : this.received.over(LIMIT);
  }

  handlers(): Promise<HandlerState[]> {
    return this.handlerList.read();
  }

  /** @throws StoreNotFoundError */
  store(scope: StoreScope): Promise<StoreInFull> {
    return this.storeReader.read(scope);
  }

  /** @throws StoreNotFoundError */
  checkStore(scope: StoreScope): Promise<boolean> {
    return this.storeReader.check(scope);
  }

  stores(cursor?: string): Promise<StorePage> {
    return this.storeReader.page(cursor);
  }
}
