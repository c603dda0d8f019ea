import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { PaymentsApi } from '../../api/payments-api.js';
import { parseRequest } from '../../api/requests/parse-request.js';
import { parseServiceReceipt, type ServiceReceipt } from '../../api/service-receipt.js';
import { mustBeOptions } from '../../common/arguments.js';
import { isRecord } from '../../common/is-record.js';
import { PaymentInputError, ReceiptNotPossibleError } from '../../common/payments.errors.js';
import { isRefundUnsettled } from '../../common/refund-status.js';
import { scopeOf } from '../../common/store.scope.js';
import { Database, type Reader } from '../../database/database.js';
import { receiptIn } from '../../operations/receipts/named-goods.js';
import { receiptsOf } from '../../operations/receipts/recorded-receipts.js';
import { settlementBody } from '../../operations/request-body.js';
import { PaymentReader } from '../../payment/payment.reader.js';
import type { State } from '../../payment/state.js';
import { mustSuit } from '../../receipts/fiscalization.js';
import type { ReceiptSubject } from '../../receipts/owed-body.js';
import { latestOf, OWN_KEY } from '../../receipts/owed-keys.js';
import { prepaymentLeft } from '../../receipts/prepayment.js';
import { settlementDigest } from '../../receipts/receipt-digest.js';
import { fromWire, saidItems } from '../../receipts/receipt-from-wire.js';
import { itemTotalMinor } from '../../receipts/receipt-sums.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import { receiptsInOrder } from '../../receipts/receipts-in-order.js';
import { settledGoods } from '../../receipts/settled-goods.js';
import { SettlePrepaymentInputShape, type SettlePrepaymentInput } from '../../receipts/settlement.input.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { PaymentsReceiptProblemEntity } from '../../schema/receipt-problem.entity.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import type { Receipt } from '../../views/receipt.view.js';
import { Shutdown } from '../../work/shutdown.js';
import { ReceiptCalls, type CallScope } from './receipt-calls.js';

/** What the service's list of receipts may lack. */
interface Moves {
  readonly receipts: readonly PaymentsReceiptEntity[];
  readonly refunds: readonly PaymentsRefundEntity[];
  /** What was sent by itself. */
  readonly operations: readonly PaymentsOperationEntity[];
  readonly problems: readonly PaymentsReceiptProblemEntity[];
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
  settle(paymentId: string, given: SettlePrepaymentInput & CallScope): Promise<Receipt> {
    return this.shutdown.waitFor(this.#settle(paymentId, given));
  }

  async #settle(paymentId: string, given: SettlePrepaymentInput & CallScope): Promise<Receipt> {
    mustBeOptions(given);
    const { manager, store, ...rest } = given;
    const asked = parseRequest(SettlePrepaymentInputShape, rest);
    const { receiptKey = 'settlement' } = asked;
    const how = { ...scopeOf(store), ...(manager && { manager }) };
    const { payment } = await this.reader.find(paymentId, scopeOf(store));
    const recorded = { receiptKey, digestOf: (of: string) => settlementDigest(asked, of) };
    const earlier = await this.receipts.resume(paymentId, recorded, how);
    if (earlier !== null) return earlier;
    try {
      if (payment.serviceId === null || payment.status !== 'succeeded')
        throw new ReceiptNotPossibleError(paymentId, `it is ${payment.status}, not succeeded`);
      const moves = await this.database.read((from) => movesOf(from, paymentId));
      mustBeAtRest(paymentId, moves);
      const receipts = receiptsInOrder(await this.#listed(payment), moves);
      const prepayment = prepaymentLeft(receipts, unsaidMinor(moves, receipts));
      if (typeof prepayment === 'string') throw new ReceiptNotPossibleError(paymentId, prepayment);
      const sent = moves.operations.flatMap(({ body }) => saidItems(receiptIn(body)?.['items']));
      const items = settledGoods(prepayment, asked, sent);
      const customer = asked.customer ?? (await this.#customerOf(payment));
      const amountMinor = items.reduce((sum, item) => sum + itemTotalMinor(item), 0);
      const { head } = prepayment;
      const said = {
        ...recorded,
        type: 'payment',
        refundId: null,
        amountMinor,
        bodyOf: (of: ReceiptSubject) => settlementBody({ customer, head, items, amountMinor }, of),
      } as const;
      return await this.receipts.send(paymentId, said, how, (state, fiscalization) => {
        mustSuit({ customer, items }, fiscalization, '');
        mustBeAsRead(state, { receiptKey, moves });
      });
    } catch (error) {
      if (!(error instanceof ReceiptNotPossibleError)) throw error;
      // Another call has settled it since, by the list that it read.
      const others = await this.receipts.resume(paymentId, recorded, how);
      if (others === null) throw error;
      return others;
    }
  }

  /** All that the service has of a payment, oldest first. */
  async #listed({ storeId, serviceId }: PaymentsPaymentEntity): Promise<ServiceReceipt[]> {
    const listed: ServiceReceipt[] = [];
    const list = this.api.listReceipts({ payment_id: serviceId ?? '' }, this.stores.call(storeId));
    for await (const receipt of list) listed.push(parseServiceReceipt(receipt));
    return listed.toReversed();
  }

  /** As its create said, in its own request or in the receipt's, unless that was erased. */
  async #customerOf({ id: paymentId }: PaymentsPaymentEntity): Promise<ReceiptInput['customer']> {
    const operations = await this.database.read((from) =>
      from.find(PaymentsOperationEntity, {
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

/** What has come since is not in the list: it may be a refund, or another call's settlement under another key. */
function mustBeAsRead(
  { payment, receipts, refunds }: State,
  { receiptKey, moves }: { readonly receiptKey: string; readonly moves: Moves },
): void {
  if (latestOf(receipts, receiptKey)) return;
  const known = new Set([...moves.receipts, ...moves.refunds].map(({ id }) => id));
  if ([...receipts, ...refunds].some(({ id }) => !known.has(id)))
    throw new ReceiptNotPossibleError(payment.id, 'its receipts have just changed; try again');
}

async function movesOf(from: Reader, paymentId: string): Promise<Moves> {
  return {
    receipts: await receiptsOf(from, paymentId),
    refunds: await from.findBy(PaymentsRefundEntity, { paymentId }),
    operations: await from.findBy(PaymentsOperationEntity, { paymentId, kind: 'receipt' }),
    problems: await from.findBy(PaymentsReceiptProblemEntity, { paymentId }),
  };
}

/** What was given back, and no receipt says of which goods. */
function unsaidMinor({ refunds }: Moves, receipts: readonly ServiceReceipt[]): number {
  const said = new Set(receipts.map(({ refundId }) => refundId));
  return refunds
    .filter(({ status, serviceId }) => status === 'succeeded' && !said.has(serviceId))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

function mustBeAtRest(paymentId: string, { receipts, refunds, problems }: Moves): void {
  if (receipts.some(isUnlisted))
    throw new ReceiptNotPossibleError(
      paymentId,
      'its own receipts are not registered yet; try again once receipt.succeeded is emitted',
    );
  if (refunds.some(({ status }) => isRefundUnsettled(status)))
    throw new ReceiptNotPossibleError(paymentId, 'a refund of it is on its way; try again once it has ended');
  if (problems.some(({ status, isOpen }) => status === 'missing' && isOpen))
    throw new ReceiptNotPossibleError(
      paymentId,
      'a receipt of it is missing: send it, or make it by hand and resolve its problem, first',
    );
}

/**
 * What is on its way the service does not list yet; and of the module's own it lists what is taken back, and not all that was
 * paid, until they are registered.
 */
function isUnlisted({ receiptKey, status }: PaymentsReceiptEntity): boolean {
  return (
    status === 'owed' || status === 'submitting' || (status === 'pending' && receiptKey.startsWith(OWN_KEY))
  );
}
