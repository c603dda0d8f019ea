import {
  formatAmount,
  PaymentsOperator,
  PaymentOutcomeUnknownError,
  PaymentsService,
  ServiceError,
  type Payment,
} from '@holdfast/payments';
import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';

import { isReference } from '../../examples/shared/web/reference.js';
import { findProduct, holdPolicyOf, isChargedAtOnce, type Product } from '../catalog/products.js';
import { ShopAddress } from '../config/shop-address.js';
import type { ShopOptions } from '../config/shop-options.js';
import type { Widget } from '../config/widget.js';
import type { CheckoutForm } from './checkout-form.js';
import { receiptOfOrder } from './order-receipt.js';
import { isUndecided, shownOf, type OrderView } from './order-view.js';
import { ShopOrderEffect } from './shop-order-effect.entity.js';
import { ShopOrder, WAITS_FOR_STAFF } from './shop-order.entity.js';
import { confirmationFor, waysOffered, type ChosenWay, type WayToPay } from './ways-to-pay.js';

/** A page of them. */
const MOST_WAITING = 100;

export interface WaitingOrders {
  readonly orders: readonly ShopOrder[];
  readonly hasMore: boolean;
}

@Injectable()
export class OrdersService {
  constructor(
    @InjectRepository(ShopOrder) private readonly orders: Repository<ShopOrder>,
    @InjectRepository(ShopOrderEffect) private readonly effects: Repository<ShopOrderEffect>,
    private readonly payments: PaymentsService,
    private readonly operator: PaymentsOperator,
    private readonly address: ShopAddress,
    private readonly config: ConfigService<ShopOptions, true>,
  ) {}

  waysOffered(product: Product): readonly WayToPay[] {
    return waysOffered(this.config.get('payments', { infer: true }), product);
  }

  /** The ways that a buyer who has not paid may take instead of the present one. */
  otherWays(view: OrderView): readonly ChosenWay[] {
    const product = findProduct(view.order.productSlug);
    const offered = product === null ? [] : this.waysOffered(product);
    if (offered.length === 0 || !isUndecided(view)) return [];
    return [...offered, 'page' as const].filter((way) => way !== (view.order.wayToPay ?? 'page'));
  }

  get widget(): Widget | null {
    return this.config.get('widget', { infer: true });
  }

  /** Where the service leads a buyer back to. */
  returnUrl(reference: string): string {
    return `${this.address.url}/orders/${reference}/return`;
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
        inAdvance: product.sale === 'in_advance',
        wayToPay: form.wayToPay === '' ? null : form.wayToPay,
      })
      .orIgnore()
      .execute();
  }

  /** Starts the order's payment, or resumes the open one. Returns the page where the buyer pays. */
  async pay(reference: string): Promise<string> {
    const order = await this.get(reference);
    return this.#pay(order, { way: order.wayToPay, replace: false });
  }

  /**
   * Another way instead: the open payment gives way to one made so. What is paid or held is found out first, since a hold would
   * give way too; without an answer nothing changes.
   */
  async payBy(reference: string, chosen: ChosenWay): Promise<string> {
    await Promise.all(await this.#rereads(reference));
    const view = await this.view(reference);
    if (!isUndecided(view)) return `/orders/${reference}`;
    const way = chosen === 'page' ? null : chosen;
    if (way !== view.order.wayToPay) {
      if (!this.otherWays(view).includes(chosen)) throw new BadRequestException();
      // First: what is asked for again after an answer that was lost is this payment, not the one before.
      await this.orders.update({ reference }, { wayToPay: way });
    }
    return this.#pay(view.order, { way, replace: true });
  }

  async #pay(
    order: ShopOrder,
    { way, replace }: { way: WayToPay | null; replace: boolean },
  ): Promise<string> {
    const { reference } = order;
    // The payments module would let a fully refunded order be paid again; this shop wants a new order.
    if (order.state === 'refunded') return `/orders/${reference}?notice=order_refunded`;
    const product = findProduct(order.productSlug);
    const payment = await this.payments.create({
      order: { reference },
      amount: formatAmount(order.totalMinor),
      capture: order.capture,
      ...(!order.capture && { holdPolicy: holdPolicyOf(product) }),
      confirmation: confirmationFor(way, {
        returnUrl: this.returnUrl(reference),
        hasWidget: this.widget !== null,
      }),
      ...(way !== null && { method: way }),
      ...(this.sendsReceipts && { receipt: receiptOfOrder(order) }),
      description: `${product?.name ?? order.productSlug} × ${order.quantity}`,
      replace,
    });
    return payment.confirmationUrl ?? `/orders/${reference}`;
  }

  /**
   * The buyer is back, often before any notification: re-read the open payments from the service. If it does not answer, the page
   * shows what is known, and the sweep finds out the rest.
   */
  async refresh(reference: string): Promise<void> {
    const rereads = await this.#rereads(reference);
    await Promise.all(
      rereads.map((reread) =>
        reread.catch((error: unknown) => {
          if (!isNoAnswer(error)) throw error;
        }),
      ),
    );
  }

  /** One of each open payment, under way. */
  async #rereads(reference: string): Promise<Promise<Payment>[]> {
    await this.get(reference);
    const open = (await this.payments.findByOrder(reference)).filter(isOpen);
    return open.map(({ id }) => this.payments.refresh(id));
  }

  async view(reference: string): Promise<OrderView> {
    // In this order: a handler that runs in between leaves an order behind its payments, and such a page reloads itself.
    const effects = await this.effects.find({ where: { orderReference: reference }, order: { id: 'ASC' } });
    const order = await this.get(reference);
    const [money, payments, problems] = await Promise.all([
      this.payments.getOrder(reference),
      this.payments.findByOrder(reference),
      this.operator.problemsOf(reference),
    ]);
    const shown = shownOf(payments);
    const records = shown.map(async (payment) => {
      const [timeline, refunds] = await Promise.all([
        this.payments.timeline(payment.id),
        this.payments.refunds(payment.id),
      ]);
      return { payment, timeline, refunds };
    });
    const morePayments = payments.length - shown.length;
    return { order, money, payments: await Promise.all(records), morePayments, effects, problems };
  }

  /** Those that wait to be shipped or handed over, the oldest first. */
  async waitingForStaff(): Promise<WaitingOrders> {
    const found = await this.orders
      .createQueryBuilder('order')
      .where(WAITS_FOR_STAFF)
      .orderBy('order.createdAt')
      .limit(MOST_WAITING + 1)
      .getMany();
    return { orders: found.slice(0, MOST_WAITING), hasMore: found.length > MOST_WAITING };
  }

  /** A second time nothing changes. */
  async markHandedOver(reference: string): Promise<void> {
    const handedOver = { handedOverAt: () => 'now()', updatedAt: () => 'now()' };
    await this.orders.update({ reference, inAdvance: true, handedOverAt: IsNull() }, handedOver);
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
