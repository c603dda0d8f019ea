import { wireAmount } from '../common/money.js';
import type { Store } from '../stores/store.js';
import type { MethodType } from '../wire/names.js';
import { invalidRequest } from '../wire/service-error.js';
import type { ReceiptBook } from './receipt-book.js';
import {
  mustAddUp,
  parseReceiptData,
  receiptMissing,
  receiptTotalMinor,
  type ReceiptData,
} from './receipt-data.js';
import type { ReceiptItem } from './receipt-item.js';
import type { Receipt, ReceiptStatus } from './receipt.js';

/** What a receipt has to know of its payment. */
interface Sale {
  readonly id: string;
  readonly store: Store;
  readonly amountMinor: number;
  readonly receipt: ReceiptData | null;
  readonly createKey: string;
}

/** What a receipt has to know of its refund. */
interface SaleReturn {
  readonly id: string;
  readonly paymentId: string;
  readonly amountMinor: number;
  readonly receipt: ReceiptData | null;
  readonly requestKey: string | null;
}

/** What each movement of money needs by way of receipts, and which ones it makes. Of a store without receipts it asks for none. */
export class ReceiptDesk {
  constructor(private readonly book: ReceiptBook) {}

  /** Of a creation: all of it. Throws a ServiceError where there must be one. `type`: the method, null if the buyer chooses. */
  ofCreation(
    store: Store,
    { receipt, amountMinor, type }: { receipt: unknown; amountMinor: number; type: MethodType | null },
  ): ReceiptData | null {
    if (!sendsWithMoney(store)) return null;
    // A company pays by its bank, which is no sale for a register.
    if (type === 'b2b_sberbank' && receipt === undefined) return null;
    return this.#needed(store, receipt, amountMinor);
  }

  /** Of a capture: none where all is captured, else what is in it. */
  ofCapture({ store, amountMinor }: Sale, receipt: unknown, capturedMinor: number): ReceiptData | null {
    return sendsWithMoney(store) && capturedMinor < amountMinor
      ? this.#needed(store, receipt, capturedMinor)
      : null;
  }

  /** Of a refund: none where all is given back at once, else what is in it. */
  ofRefund({ store, amountMinor }: Sale, receipt: unknown, refundMinor: number): ReceiptData | null {
    if (!sendsWithMoney(store)) return null;
    if (refundMinor < amountMinor) return this.#needed(store, receipt, refundMinor);
    if (receipt === undefined) return null;
    throw invalidRequest('Goes without a receipt: all is given back', 'receipt');
  }

  /** The buyer has paid; null: there is no receipt to wait for. */
  paid(payment: Sale): Receipt | null {
    return payment.receipt && this.#own(payment, 'payment', payment.receipt, payment.createKey);
  }

  /** A part was captured: what was sent for the whole is taken back, and what is in the part is sent. */
  capturedPart(before: Sale, receipt: ReceiptData, requestKey: string): void {
    if (before.receipt) this.#own(before, 'refund', before.receipt, requestKey);
    this.#own(before, 'payment', receipt, requestKey);
  }

  /** A hold was let go. */
  released(payment: Sale, requestKey: string | null): void {
    if (payment.receipt) this.#own(payment, 'refund', payment.receipt, requestKey);
  }

  /**
   * Money went back. What is in a refund of all stands in the payment's receipt; one that was made by hand is a line of its
   * own (assumed).
   */
  refunded(payment: Sale, { id, receipt, requestKey, amountMinor }: SaleReturn): void {
    const { receipt: whole } = payment;
    if (!whole) return;
    const byHand = { ...whole, items: [lineOf(whole, amountMinor)] };
    const data = receipt ?? (amountMinor === payment.amountMinor ? whole : byHand);
    this.#own(payment, 'refund', data, requestKey, id);
  }

  /** `receipt_registration` of a payment: of what was sent with it last; null where nothing was. */
  statusOf(paymentId: string): ReceiptStatus | null {
    return this.#lastOwn(paymentId, null);
  }

  /** `receipt_registration` of a refund. */
  statusOfRefund({ id, paymentId }: SaleReturn): ReceiptStatus | null {
    return this.#lastOwn(paymentId, id);
  }

  #lastOwn(paymentId: string, refundId: string | null): ReceiptStatus | null {
    const own = this.book.of(paymentId).filter((receipt) => receipt.isOwn && receipt.refundId === refundId);
    return own.at(-1)?.status ?? null;
  }

  #needed({ receipts }: Store, receipt: unknown, amountMinor: number): ReceiptData | null {
    if (receipts === null) return null;
    if (receipt === undefined) throw receiptMissing();
    const data = parseReceiptData(receipt, receipts);
    mustAddUp(data, amountMinor);
    return data;
  }

  #own(
    { id: paymentId, store }: Sale,
    type: Receipt['type'],
    data: ReceiptData,
    requestKey: string | null,
    refundId: string | null = null,
  ): Receipt {
    const settlements = [{ type: 'cashless', amountMinor: receiptTotalMinor(data) }];
    return this.book.send({
      store,
      type,
      paymentId,
      refundId,
      ...data,
      settlements,
      isOwn: true,
      requestKey,
    });
  }
}

function lineOf({ items: [first] }: ReceiptData, totalMinor: number): ReceiptItem {
  const wire = {
    description: 'Refund',
    amount: wireAmount(totalMinor),
    quantity: 1,
    vat_code: first?.wire['vat_code'],
  };
  return { wire, totalMinor };
}

function sendsWithMoney({ receipts }: Store): boolean {
  return receipts !== null && receipts.scenario !== 'after_payment';
}
