import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import { PaymentsApi } from '../../api/payments-api.js';
import { parseRequest } from '../../api/requests/parse-request.js';
import { parseServiceReceipt, type ServiceReceipt } from '../../api/service-receipt.js';
import { mustBeOptions } from '../../common/arguments.js';
import { isRecord } from '../../common/is-record.js';
import {
  PaymentInputError,
  ReceiptKeyReusedError,
  ReceiptNotPossibleError,
} from '../../common/payments.errors.js';
import { isRefundUnsettled } from '../../common/refund-status.js';
import { scopeOf, type StoreScope } from '../../common/store.scope.js';
import { Given, IsText } from '../../common/validation.js';
import { Database, type Reader } from '../../database/database.js';
import { PaymentReader } from '../../payment/payment.reader.js';
import { OWN_KEY } from '../../receipts/owed-keys.js';
import { itemsToSettle } from '../../receipts/prepayment.js';
import { fromWire } from '../../receipts/receipt-from-wire.js';
import { receiptTotal } from '../../receipts/receipt-sums.js';
import { IsCustomer, type ReceiptInput } from '../../receipts/receipt.input.js';
import { OperationEntity } from '../../schema/operation.entity.js';
import type { PaymentEntity } from '../../schema/payment.entity.js';
import { ReceiptEntity } from '../../schema/receipt.entity.js';
import { RefundEntity } from '../../schema/refund.entity.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import type { Receipt } from '../../views/receipt.view.js';
import { Shutdown } from '../../work/shutdown.js';
import { ReceiptCalls } from './receipt-calls.js';

class SettlePrepaymentInputShape {
  /** Your own name for the receipt, 1 to 64 characters. Default: `settlement`. */
  @Given()
  @IsText(64)
  readonly receiptKey?: string;

  /** Who gets it. Default: who got the payment's. */
  @Given()
  @IsCustomer()
  readonly customer?: ReceiptInput['customer'];
}

/** The input of {@link PaymentsService.settlePrepayment}. */
export type SettlePrepaymentInput = Readonly<SettlePrepaymentInputShape>;

/** What the service's list of receipts may lack. */
interface Moves {
  readonly receipts: readonly ReceiptEntity[];
  readonly refunds: readonly RefundEntity[];
}

/** The second receipt of a prepayment. */
@Injectable()
export class PrepaymentCalls {
  constructor(
    private readonly database: Database,
    private readonly reader: PaymentReader,
    private readonly api: PaymentsApi,
    private readonly stores: StoreRegistry,
    private readonly receipts: ReceiptCalls,
    private readonly shutdown: Shutdown,
  ) {}

  /** As {@link PaymentsService.settlePrepayment} says. */
  settle(
    paymentId: string,
    given: SettlePrepaymentInput & StoreScope & { readonly manager?: EntityManager },
  ): Promise<Receipt> {
    return this.shutdown.waitFor(this.#settle(paymentId, given));
  }

  async #settle(
    paymentId: string,
    given: SettlePrepaymentInput & StoreScope & { readonly manager?: EntityManager },
  ): Promise<Receipt> {
    mustBeOptions(given);
    const { manager, store, ...rest } = given;
    const { receiptKey = 'settlement', customer } = parseRequest(SettlePrepaymentInputShape, rest);
    const scope = scopeOf(store);
    const { payment } = await this.reader.find(paymentId, scope);
    const earlier = await this.#recorded(paymentId, receiptKey, given);
    if (earlier !== null) return earlier;
    try {
      if (payment.serviceId === null || payment.status !== 'succeeded')
        throw new ReceiptNotPossibleError(paymentId, `it is ${payment.status}, not succeeded`);
      const moves = await this.database.read((from) => movesOf(from, paymentId));
      mustBeAtRest(paymentId, moves);
      const items = itemsToSettle(await this.#listed(payment));
      if (items === null)
        throw new ReceiptNotPossibleError(
          paymentId,
          'nothing is left of a prepayment, or it is settled already',
        );
      const receipt = { customer: customer ?? (await this.#customerOf(payment)), items };
      const settlements = [{ type: 'prepayment', amount: receiptTotal(receipt) }] as const;
      const input = { receiptKey, type: 'payment', receipt, settlements, ...scope } as const;
      return await this.receipts.create(paymentId, manager ? { ...input, manager } : input, (within) =>
        this.#mustBeAsRead(within, paymentId, { receiptKey, moves }),
      );
    } catch (error) {
      if (!(error instanceof ReceiptNotPossibleError || error instanceof ReceiptKeyReusedError)) throw error;
      // Another call has settled it since, by the list that it read.
      const others = await this.#recorded(paymentId, receiptKey, given);
      if (others === null) throw error;
      return others;
    }
  }

  /** What has come since is not in the list: it may be a refund, or another call's settlement under another key. */
  async #mustBeAsRead(
    manager: EntityManager,
    paymentId: string,
    { receiptKey, moves }: { readonly receiptKey: string; readonly moves: Moves },
  ): Promise<void> {
    const now = await movesOf(manager, paymentId);
    if (now.receipts.some((receipt) => receipt.receiptKey === receiptKey)) return;
    const known = new Set([...moves.receipts, ...moves.refunds].map(({ id }) => id));
    if ([...now.receipts, ...now.refunds].some(({ id }) => !known.has(id)))
      throw new ReceiptNotPossibleError(paymentId, 'its receipts have just changed; try again');
  }

  /** What is recorded under a key, sent or its outcome found out; null: nothing. */
  async #recorded(
    paymentId: string,
    receiptKey: string,
    { store, manager }: StoreScope & { readonly manager?: EntityManager },
  ): Promise<Receipt | null> {
    const receipt = await this.receipts.get(paymentId, receiptKey, scopeOf(store));
    // In a handler's transaction nothing is sent.
    return receipt === null || manager ? receipt : this.receipts.resume(receipt);
  }

  /** All that the service has of a payment, oldest first. */
  async #listed({ storeId, serviceId }: PaymentEntity): Promise<ServiceReceipt[]> {
    const listed: ServiceReceipt[] = [];
    const list = this.api.listReceipts({ payment_id: serviceId ?? '' }, this.stores.call(storeId));
    for await (const receipt of list) listed.push(parseServiceReceipt(receipt));
    return listed.toReversed();
  }

  /** As its create said, in its own request or in the receipt's, unless that was erased. */
  async #customerOf({ id: paymentId }: PaymentEntity): Promise<ReceiptInput['customer']> {
    const operations = await this.database.read((from) =>
      from.find(OperationEntity, {
        where: { paymentId, kind: In(['create', 'receipt']) },
        order: { recordedAt: 'ASC' },
      }),
    );
    for (const { personal } of operations) {
      const kept: unknown = personal === null ? null : fromWire(JSON.parse(personal));
      const said = isRecord(kept) && isRecord(kept['receipt']) ? kept['receipt'] : kept;
      if (isRecord(said) && isRecord(said['customer'])) return said['customer'];
    }
    throw new PaymentInputError(
      'customer',
      'is required: the contact of the payment’s receipt is not kept any more',
    );
  }
}

async function movesOf(from: Reader, paymentId: string): Promise<Moves> {
  return {
    receipts: await from.findBy(ReceiptEntity, { paymentId }),
    refunds: await from.findBy(RefundEntity, { paymentId }),
  };
}

function mustBeAtRest(paymentId: string, { receipts, refunds }: Moves): void {
  if (receipts.some(isUnlisted))
    throw new ReceiptNotPossibleError(
      paymentId,
      'its own receipts are not registered yet; try again once receipt.succeeded is emitted',
    );
  if (refunds.some(({ status }) => isRefundUnsettled(status)))
    throw new ReceiptNotPossibleError(paymentId, 'a refund of it is on its way; try again once it has ended');
}

/**
 * What is on its way the service does not list yet; and of the module's own it lists what is taken back, and not all that was
 * paid, until they are registered.
 */
function isUnlisted({ receiptKey, status }: ReceiptEntity): boolean {
  return (
    status === 'owed' || status === 'submitting' || (status === 'pending' && receiptKey.startsWith(OWN_KEY))
  );
}
