import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { mustBeName } from '../common/arguments.js';
import { PaymentNotFoundError } from '../common/payments.errors.js';
import type { StoreScope } from '../common/store.scope.js';
import { isUuid } from '../common/uuid.js';
import { Database, type Reader } from '../database/database.js';
import { PaymentsEventEntity } from '../schema/event.entity.js';
import { PaymentsNotificationEntity } from '../schema/notification.entity.js';
import { PaymentsOrderEntity } from '../schema/order.entity.js';
import { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { PaymentsRefundEntity } from '../schema/refund.entity.js';
import { ConfirmationSeal } from '../stores/confirmation-seal.js';
import { StoreRegistry } from '../stores/store.registry.js';
import { orderView, paymentView, type Order, type Payment } from '../views/payment.view.js';
import { refundView, type Refund } from '../views/refund.view.js';
import { currentPayment } from './current-payment.js';
import { toShow } from './order-payments.js';
import { timelineOf, type TimelineEntry } from './timeline.js';

interface Recorded {
  readonly payment: PaymentsPaymentEntity;
  readonly order: PaymentsOrderEntity;
}

/** Reads payments and orders, from the database only, and for one store only. An id of another store is unknown. */
@Injectable()
export class PaymentReader {
  protected readonly database: Database;

  constructor(
    database: Database,
    private readonly stores: StoreRegistry,
    private readonly seal: ConfirmationSeal,
  ) {
    this.database = database;
  }

  /** As {@link findPayment}. */
  find(paymentId: string, scope: StoreScope, within?: Reader): Promise<Recorded> {
    return findPayment(this.database, this.stores, paymentId, scope, within);
  }

  async get(paymentId: string, scope: StoreScope): Promise<Payment> {
    const { payment, order } = await this.find(paymentId, scope);
    return paymentView(payment, order, await this.seal.opened(payment));
  }

  async findByOrder(orderReference: string, scope: StoreScope): Promise<Payment[]> {
    const order = await this.#findOrder(orderReference, scope);
    if (!order) return [];
    const views: Payment[] = [];
    for (const payment of await this.#paymentsOf(order))
      views.push(paymentView(payment, order, await this.seal.opened(payment)));
    return views;
  }

  async currentPayment(orderReference: string, scope: StoreScope): Promise<Payment | null> {
    const order = await this.#findOrder(orderReference, scope);
    const payment =
      order && currentPayment(order, await this.database.read((from) => toShow(from, this.database, order)));
    return payment && paymentView(payment, order, await this.seal.opened(payment));
  }

  async getOrder(orderReference: string, scope: StoreScope): Promise<Order | null> {
    const order = await this.#findOrder(orderReference, scope);
    return order && orderView(order);
  }

  async timeline(paymentId: string, scope: StoreScope): Promise<TimelineEntry[]> {
    const { payment } = await this.find(paymentId, scope);
    return timelineOfPayment(this.database, payment);
  }

  async refunds(paymentId: string, scope: StoreScope): Promise<Refund[]> {
    const { payment } = await this.find(paymentId, scope);
    return refundsOf(this.database, payment.id);
  }

  /** Oldest first. */
  #paymentsOf({ id: orderId }: PaymentsOrderEntity): Promise<PaymentsPaymentEntity[]> {
    return this.database.read((from) =>
      from.find(PaymentsPaymentEntity, { where: { orderId }, order: { createdAt: 'ASC' } }),
    );
  }

  async #findOrder(reference: string, scope: StoreScope): Promise<PaymentsOrderEntity | null> {
    mustBeName('orderReference', reference);
    const { id: storeId } = await this.stores.find(scope);
    return this.database.read((from) => from.findOneBy(PaymentsOrderEntity, { storeId, reference }));
  }
}

/**
 * Reads in the transaction of `within`, if one is open.
 * @throws PaymentNotFoundError
 */
export async function findPayment(
  database: Database,
  stores: StoreRegistry,
  paymentId: string,
  scope: StoreScope,
  within?: Reader,
): Promise<Recorded> {
  mustBeName('paymentId', paymentId);
  const { id: storeId } = await stores.find(scope, within);
  const look = async (from: Reader) => {
    const payment = isUuid(paymentId)
      ? await from.findOneBy(PaymentsPaymentEntity, { id: paymentId, storeId })
      : null;
    if (!payment) throw new PaymentNotFoundError(paymentId);
    return { payment, order: await from.findOneByOrFail(PaymentsOrderEntity, { id: payment.orderId }) };
  };
  return within ? look(within) : database.read(look);
}

/** Its events and notifications in the order of their time. */
export function timelineOfPayment(
  database: Database,
  { id: paymentId, storeId, serviceId }: PaymentsPaymentEntity,
): Promise<TimelineEntry[]> {
  return database.read(async (from) => {
    const events = await from.find(PaymentsEventEntity, { where: { paymentId }, order: { id: 'ASC' } });
    const refunds = await from.findBy(PaymentsRefundEntity, { paymentId });
    const notifications = await from.findBy(PaymentsNotificationEntity, [
      { storeId, objectType: 'payment', objectId: serviceId ?? IsNull() },
      { storeId, objectType: 'refund', objectId: In(refunds.flatMap((refund) => refund.serviceId ?? [])) },
    ]);
    return timelineOf(events, notifications);
  });
}

/** Oldest first. */
export async function refundsOf(database: Database, paymentId: string): Promise<Refund[]> {
  const refunds = await database.read((from) =>
    from.find(PaymentsRefundEntity, { where: { paymentId }, order: { createdAt: 'ASC', id: 'ASC' } }),
  );
  return refunds.map(refundView);
}
