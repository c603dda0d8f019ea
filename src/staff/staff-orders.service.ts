import {
  formatAmount,
  PaymentsOperator,
  PaymentsService,
  PaymentWhollyRefundedError,
  type Payment,
} from '@holdfast/payments';
import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { noteOfPieces, receiptOfOrder } from '../orders/order-receipt.js';
import { awaitsHandOver, paidPayment } from '../orders/order-view.js';
import { OrdersService } from '../orders/orders.service.js';
import { plannedRefund } from './planned-refund.js';
import type { RefundRequest } from './refund-form.js';
import type { Resolution } from './resolution.js';
import { StaffNote } from './staff-note.entity.js';
import type { StaffOrderView } from './staff-order-view.js';

/** What the staff see of an order, and do with its money. */
@Injectable()
export class StaffOrdersService {
  constructor(
    private readonly orders: OrdersService,
    private readonly payments: PaymentsService,
    private readonly operator: PaymentsOperator,
    @InjectRepository(StaffNote) private readonly notes: Repository<StaffNote>,
  ) {}

  async view(reference: string): Promise<StaffOrderView> {
    const [view, notes] = await Promise.all([
      this.orders.view(reference),
      this.notes.find({ where: { orderReference: reference }, order: { id: 'ASC' } }),
    ]);
    const receipts = await Promise.all(
      view.payments.map(({ payment }) => this.payments.receipts.list(payment.id)),
    );
    return { ...view, notes, receipts: receipts.flat() };
  }

  /** Charges the held amount. The order becomes paid with the payment's event. */
  async ship(reference: string): Promise<void> {
    await this.payments.capture((await this.#latestPayment(reference)).id);
  }

  /** Releases the held amount. */
  async cancel(reference: string): Promise<void> {
    await this.payments.cancel((await this.#latestPayment(reference)).id);
  }

  /**
   * Goods that were paid in advance have reached their buyer: by law that has a receipt of its own. It is recorded first, so that
   * an order that counts as handed over has one; pressed again, it is the same.
   */
  async handOver(reference: string): Promise<void> {
    const order = await this.orders.get(reference);
    if (!awaitsHandOver(order)) return;
    if (this.orders.sendsReceipts)
      await this.payments.settlePrepayment((await this.#paidPayment(reference)).id);
    await this.orders.markHandedOver(reference);
  }

  /** Refunds money of the order as it was seen, once for each key. The order becomes refunded with the refund's event. */
  async refund(view: StaffOrderView, request: RefundRequest): Promise<void> {
    const { order } = view;
    const record = paidPayment(view) ?? view.payments.at(-1);
    if (record === undefined) throw new NotFoundException();
    const { id } = record.payment;
    const { refundKey, part } = request;
    const { amountMinor, receipt } = plannedRefund(order, record, request);
    if (amountMinor === null) throw new PaymentWhollyRefundedError(id);
    await this.payments.refund(id, {
      refundKey,
      amount: formatAmount(amountMinor),
      ...('pieces' in part && { metadata: noteOfPieces(part.pieces) }),
      ...(this.orders.sendsReceipts && (receipt ? { receipt } : { receiptOf: receiptOfOrder(order) })),
    });
  }

  /** Books a refund of the order as the service has made it; false if it has ended meanwhile. */
  async acceptRefund(reference: string, refundId: string, why: Resolution): Promise<boolean> {
    const payments = await this.payments.findByOrder(reference);
    const refunds = await Promise.all(payments.map(({ id }) => this.payments.refunds(id)));
    if (!refunds.flat().some(({ id }) => id === refundId)) throw new NotFoundException();
    return (await this.operator.acceptRefund(refundId, why)) !== null;
  }

  /** The one that took the order's money; the latest where none has. */
  async #paidPayment(reference: string): Promise<Payment> {
    const payments = await this.payments.findByOrder(reference);
    const payment = payments.findLast(({ status }) => status === 'succeeded') ?? payments.at(-1);
    if (payment === undefined) throw new NotFoundException();
    return payment;
  }

  async #latestPayment(reference: string): Promise<Payment> {
    const payment = (await this.payments.findByOrder(reference)).at(-1);
    if (payment === undefined) throw new NotFoundException();
    return payment;
  }
}
