import {
  formatAmount,
  receiptOfCart,
  type CreatePaymentInput,
  type ReceiptInput,
  type ReceiptItem,
  type SettledItem,
} from '@holdfast/payments';
import type { BuyerAction } from '@holdfast/sandbox';

import { roubles } from '../../examples/shared/pages/format.js';
import { newReference } from '../../examples/shared/web/reference.js';
import { findProduct } from '../../src/catalog/products.js';
import { minor } from './books.js';
import { Purchase } from './purchase.js';

/** An order that the shop's pages have no form for. */
interface ByProgram {
  /** What its receipt says of a piece besides. */
  readonly piece?: (number: number) => Partial<ReceiptItem>;
  readonly payment?: Partial<CreatePaymentInput>;
}

/** A purchase in which programs of the shop do what its pages have no form for: they call the payments module by themselves. */
export class ProgramPurchase extends Purchase {
  #receipt: ReceiptInput | null = null;

  /**
   * Places an order whose payment a program of the shop creates by itself, since no page has a form for it; a line of the receipt
   * for each piece.
   */
  async orderByProgram(productSlug: string, quantity: number, { piece, payment }: ByProgram): Promise<void> {
    const { shopUrl, orders, payments } = this.everything;
    const product = findProduct(productSlug);
    if (product === null) throw new Error(`There is no product ${productSlug}`);
    const [reference, email] = [newReference(), 'anna@example.com'];
    await orders.place(reference, product, {
      productSlug,
      quantity,
      name: 'Anna Orlova',
      email,
      wayToPay: '',
    });
    this.orderUrl = `${shopUrl}/orders/${reference}`;
    const { name: description, priceMinor, vatCode } = product;
    this.#receipt = receiptOfCart({
      customer: { email },
      items: Array.from({ length: quantity }, (_, index) => ({
        id: `piece-${index + 1}`,
        description,
        amount: formatAmount(priceMinor),
        quantity: 1,
        vatCode,
        measure: 'piece',
        paymentSubject: 'commodity',
        paymentMode: 'full_payment',
        ...piece?.(index + 1),
      })),
    });
    const { serviceId, confirmationUrl } = await payments.create({
      order: { reference },
      amount: formatAmount(priceMinor * quantity),
      returnUrl: orders.returnUrl(reference),
      receipt: this.#receipt,
      ...payment,
    });
    this.serviceId = serviceId ?? '';
    this.paymentPageUrl = confirmationUrl ?? '';
    const what = `${description} × ${quantity} for ${roubles(priceMinor * quantity)}`;
    this.say('shop', `places order ${reference} by a program: ${what}`);
    await this.look();
  }

  /** What only a bank decides is said to the sandbox, without a page. */
  payAtBank(action: BuyerAction, words: string): void {
    this.everything.sandbox.payments.pay(this.serviceId, action);
    this.say('buyer', words);
    this.printMoney();
  }

  /** A program of the shop refunds one piece, by its own id of it. */
  async refundByProgram(id: string): Promise<void> {
    const { payments } = this.everything;
    const paymentId = await this.#paymentId();
    const receiptOf = this.#receipt;
    if (receiptOf === null) throw new Error('There is no receipt to refund of');
    const { amount } = await payments.refund(paymentId, { refundKey: id, receiptOf, lines: [{ id }] });
    this.say('shop', `refunds ${id} by a program: ${roubles(minor(amount.value))}`);
  }

  /** A program of the shop's warehouse sends a part of what was paid in advance. */
  async sendParcel(receiptKey: string, items: readonly SettledItem[]): Promise<void> {
    await this.everything.payments.settlePrepayment(await this.#paymentId(), { receiptKey, items });
    const goods = items.map(({ description, quantity }) => `${description} × ${quantity}`).join(', ');
    this.say('shop', `hands over a parcel by a program: ${goods}`);
    await this.look();
  }

  async #paymentId(): Promise<string> {
    const [payment] = await this.everything.payments.findByOrder(this.reference);
    if (payment === undefined) throw new Error(`Order ${this.reference} has no payment`);
    return payment.id;
  }
}
