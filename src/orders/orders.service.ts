import {
  formatAmount,
  PaymentOutcomeUnknownError,
  PaymentsService,
  ServiceError,
  type Payment,
} from '@holdfast/payments';
import { Injectable, NotFoundException } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { isReference } from '../../examples/shared/web/reference.js';
import { findProduct, holdPolicyOf, isChargedAtOnce, type Product } from '../catalog/products.js';
import { ShopAddress } from '../config/shop-address.js';
import type { ShopOptions } from '../config/shop-options.js';
import type { CheckoutForm } from './checkout-form.js';
import { receiptOfOrder } from './order-receipt.js';
import type { OrderView } from './order-view.js';
import { ShopOrderEffect } from './shop-order-effect.entity.js';
import { ShopOrder } from './shop-order.entity.js';
import { waysOffered, type WayToPay } from './ways-to-pay.js';

@Injectable()
export class OrdersService {
  constructor(
    @InjectRepository(ShopOrder) private readonly orders: Repository<ShopOrder>,
    @InjectRepository(ShopOrderEffect) private readonly effects: Repository<ShopOrderEffect>,
    private readonly payments: PaymentsService,
    private readonly address: ShopAddress,
    private readonly config: ConfigService<ShopOptions, true>,
  ) {}

  waysOffered(product: Product): readonly WayToPay[] {
    return waysOffered(this.config.get('payments', { infer: true }), product);
  }

  /** By law a shop whose receipts go through the service sends one with each payment and refund. */
  get sendsReceipts(): boolean {
    return this.config.get('payments', { infer: true }).fiscalization !== undefined;
  }

  /** Stores the order once: the same reference sent again, by a second click, changes nothing. */
  async place(reference: string, product: Product, form: CheckoutForm): Promise<void> {
    if (!isReference(reference)) throw new NotFoundException();
    await this.orders
      .createQueryBuilder()
      .insert()
      .values({
        reference,
        productSlug: product.slug,
        quantity: form.quantity,
        buyerName: form.name,
        buyerEmail: form.email,
        totalMinor: product.priceMinor * form.quantity,
        capture: isChargedAtOnce(product),
        wayToPay: form.wayToPay === '' ? null : form.wayToPay,
      })
      .orIgnore()
      .execute();
  }

  /** Starts the order's payment, or resumes the open one. Returns the page where the buyer pays. */
  async pay(reference: string): Promise<string> {
    const order = await this.get(reference);
    // The payments module would let a fully refunded order be paid again; this shop wants a new order.
    if (order.state === 'refunded') return `/orders/${reference}?notice=order_refunded`;
    const product = findProduct(order.productSlug);
    // Who could not pay this way chooses another one on the service's page.
    const method = order.state === 'payment_failed' ? null : order.wayToPay;
    const payment = await this.payments.create({
      order: { reference },
      amount: formatAmount(order.totalMinor),
      capture: order.capture,
      ...(!order.capture && { holdPolicy: holdPolicyOf(product) }),
      returnUrl: `${this.address.url}/orders/${reference}/return`,
      ...(method !== null && { method }),
      ...(this.sendsReceipts && { receipt: receiptOfOrder(order) }),
      description: `${product?.name ?? order.productSlug} × ${order.quantity}`,
    });
    return payment.confirmationUrl ?? `/orders/${reference}`;
  }

  /**
   * The buyer is back, often before any notification: re-read the open payments from the service. If it does not answer, the page
   * shows what is known, and the sweep finds out the rest.
   */
  async refresh(reference: string): Promise<void> {
    await this.get(reference);
    const open = (await this.payments.findByOrder(reference)).filter(isOpen);
    await Promise.all(
      open.map((payment) =>
        this.payments.refresh(payment.id).catch((error: unknown) => {
          if (!isNoAnswer(error)) throw error;
        }),
      ),
    );
  }

  async view(reference: string): Promise<OrderView> {
    // In this order: a handler that runs in between leaves an order behind its payments, and such a page reloads itself.
    const effects = await this.effects.find({ where: { orderReference: reference }, order: { id: 'ASC' } });
    const order = await this.get(reference);
    const [money, payments] = await Promise.all([
      this.payments.getOrder(reference),
      this.payments.findByOrder(reference),
    ]);
    const records = payments.map(async (payment) => {
      const [timeline, refunds] = await Promise.all([
        this.payments.timeline(payment.id),
        this.payments.refunds(payment.id),
      ]);
      return { payment, timeline, refunds };
    });
    return { order, money, payments: await Promise.all(records), effects };
  }

  /** @throws NotFoundException */
  async get(reference: string): Promise<ShopOrder> {
    const order = await this.orders.findOneBy({ reference });
    if (order === null) throw new NotFoundException();
    return order;
  }
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof PaymentOutcomeUnknownError;
}

function isOpen({ status }: Payment): boolean {
  return status === 'submitting' || status === 'pending' || status === 'waiting_for_capture';
}
