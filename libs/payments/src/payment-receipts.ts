import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ReceiptCalls } from './calls/receipts/receipt-calls.js';
import type { StoreScope } from './common/store.scope.js';
import type { OwnReceiptInput } from './receipts/own-receipt.input.js';
import type { Receipt } from './views/receipt.view.js';

/**
 * Receipts that are sent by themselves, apart from the money: a second one after a prepayment, or every one where the shop's
 * register works so. `payments.receipts`. Those that go with a create, capture or refund need none of this.
 */
@Injectable()
export class PaymentReceipts {
  /** @internal */
  constructor(private readonly calls: ReceiptCalls) {}

  /**
   * Sends a receipt, once per `receiptKey`: the same key again (a double click, a retry, after a crash) is the same receipt. It
   * comes back `pending`, and is followed as the others are: `receipt.succeeded`, `receipt.failed`, `receipt.late`. With a
   * handler's `manager` it is recorded in that transaction and sent after its commit.
   *
   * @throws PaymentInputError for a field that breaks a rule, also if settlements and items differ; nothing was stored or sent
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   * @throws StoreNotConnectedError
   * @throws StorePermissionError if the app lacks the permission to create payments
   * @throws ReceiptNotPossibleError if the payment or refund has not come to it
   * @throws ReceiptKeyReusedError if the key named another receipt before
   * @throws OperationRefusedError if the service refused
   * @throws PaymentOutcomeUnknownError if the service gave no answer in time; call again with the same key to resume
   * @example
   * await this.payments.receipts.create(paymentId, {
   *   receiptKey: 'handed-over',
   *   type: 'payment',
   *   receipt: { customer: { email: 'buyer@example.com' }, items: [
   *     { description: 'Tea', amount: { value: '450.00', currency: 'RUB' }, quantity: 1, vatCode: 11, paymentMode: 'full_payment' },
   *   ] },
   *   settlements: [{ type: 'prepayment', amount: { value: '450.00', currency: 'RUB' } }],
   * });
   */
  create(
    paymentId: string,
    options: OwnReceiptInput & StoreScope & { readonly manager?: EntityManager },
  ): Promise<Receipt> {
    return this.calls.create(paymentId, options);
  }

  /**
   * The receipt of this key; null if there is none.
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   */
  get(paymentId: string, receiptKey: string, scope: StoreScope = {}): Promise<Receipt | null> {
    return this.calls.get(paymentId, receiptKey, scope);
  }

  /**
   * All of a payment's, oldest first. `PaymentsApi.listReceipts` also has those that went with the money.
   * @throws PaymentNotFoundError
   * @throws StoreNotFoundError
   */
  list(paymentId: string, scope: StoreScope = {}): Promise<Receipt[]> {
    return this.calls.list(paymentId, scope);
  }
}
