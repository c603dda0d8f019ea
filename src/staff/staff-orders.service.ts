import {
  formatAmount,
  PaymentsOperator,
  PaymentsService,
  PaymentWhollyRefundedError,
  type Payment,
} from '@holdfast/payments';
import { Injectable, NotFoundException } from '@nestjs/common';

import { noteOfPieces, receiptOfOrder } from '../orders/order-receipt.js';
import { awaitsHandOver, paidPayment } from '../orders/order-view.js';
import { OrdersService } from '../orders/orders.service.js';
import { plannedRefund } from './planned-refund.js';
import type { RefundRequest } from './refund-form.js';
import type { StaffOrderView } from './staff-order-view.js';

/** What the staff see of an order, and do with its money. */
@Injectable()
export class StaffOrdersService {
  constructor(
    private readonly orders: OrdersService,
    private readonly payments: PaymentsService,
    private readonly operator: PaymentsOperator,
  ) {}

  async view(reference: string): Promise<StaffOrderView> {
    const view = await this.orders.view(reference);
    const receipts = await Promise.all(
      view.payments.map(({ payment }) => this.payments.receipts.list(payment.id)),
    );
    return { ...view, receipts: receipts.flat() };
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
    if (this.orders.sendsReceipts) {
      const { id } = await this.#paidPayment(reference);
      const { customer } = receiptOfOrder(order);
      if (!(await this.#isSettled(id))) await this.payments.settlePrepayment(id, { customer });
    }
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

  /** Somebody has handed it over on the board. Of a payment that the database forgot it is not known what was prepaid: the service is asked. */
  async #isSettled(paymentId: string): Promise<boolean> {
    const [{ unsettled }, goods] = await Promise.all([
      this.operator.inspect(paymentId),
      this.operator.paidGoods(paymentId),
    ]);
    return unsettled === null && goods !== null;
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
