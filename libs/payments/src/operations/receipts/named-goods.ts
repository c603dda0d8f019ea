import { isRecord } from '../../common/is-record.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import type { Reader } from '../../database/database.js';
import type { NamedGoods } from '../../receipts/goods-left.js';
import type { NamedItem } from '../../receipts/left-of.js';
import { itemsForSum } from '../../receipts/owed-body.js';
import { latestOf, owedKeys } from '../../receipts/owed-keys.js';
import { saidItems } from '../../receipts/receipt-from-wire.js';
import { PaymentsOperationEntity } from '../../schema/operation.entity.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import type { OperationRow, ReceiptRow } from '../../schema/rows.js';
import type { RecordedBody } from '../personal-data.js';
import { receiptsOf } from './recorded-receipts.js';

type Payment = Pick<PaymentsPaymentEntity, 'id' | 'receiptsAfter' | 'amountMinor' | 'authorizedMinor'>;

export interface RecordedGoods extends NamedGoods {
  /** The receipt of what was paid, as it was recorded; null: there is none. */
  readonly receipt: RecordedBody | null;
}

/** What is recorded of a payment's goods. */
export interface GoodsRecords {
  /** All of the payment, oldest first. */
  readonly operations: readonly OperationRow[];
  /** Those that are sent by themselves, oldest first. */
  readonly receipts: readonly ReceiptRow[];
}

/** The goods on the receipts of a payment and of its refunds, as they were recorded. */
export async function namedGoods(
  manager: Reader,
  payment: Payment,
  refunds: readonly Pick<PaymentsRefundEntity, 'id' | 'status'>[],
): Promise<RecordedGoods> {
  const { id: paymentId, receiptsAfter } = payment;
  const operations = await manager.find(PaymentsOperationEntity, {
    where: { paymentId },
    order: { recordedAt: 'ASC' },
  });
  const receipts = receiptsAfter ? await receiptsOf(manager, paymentId) : [];
  return goodsOn(payment, refunds, { operations, receipts });
}

/** The same, of what was read before. */
export function goodsOn(
  payment: Payment,
  refunds: readonly Pick<PaymentsRefundEntity, 'id' | 'status'>[],
  records: GoodsRecords,
): RecordedGoods {
  const open = refunds.filter(({ status }) => status !== 'rejected' && status !== 'canceled');
  return payment.receiptsAfter ? ofOwn(open, records) : ofRequests(payment, open, records);
}

/** Those that went with the money. */
function ofRequests(
  payment: Payment,
  refunds: readonly { readonly id: string }[],
  { operations }: GoodsRecords,
): RecordedGoods {
  const ids = new Set(refunds.map(({ id }) => id));
  const ofMoney = operations.filter(
    ({ kind, outcome, body }) =>
      (kind === 'create' || kind === 'capture') && outcome !== 'refused' && itemsIn(body).length > 0,
  );
  const ofRefunds = operations.filter(({ refundId }) => refundId !== null && ids.has(refundId));
  const last = ofMoney.at(-1);
  return {
    named: ofMoney.flatMap(({ body }) => itemsIn(body)),
    sold: last?.kind === 'create' ? registered(last.body, payment) : itemsIn(last?.body ?? null),
    returned: ofRefunds.flatMap(({ body }) => itemsIn(body)),
    receipt: last ?? null,
  };
}

/** Of a credit by instalments the service takes a discount off each line by itself. */
function registered(body: string, { amountMinor, authorizedMinor }: Payment): readonly NamedItem[] {
  const items = itemsIn(body);
  if (authorizedMinor === 0 || authorizedMinor === amountMinor) return items;
  try {
    return itemsForSum(receiptIn(body)?.['items'], authorizedMinor);
  } catch (error) {
    if (error instanceof PaymentInputError) return items;
    throw error;
  }
}

/** Those that follow the money. */
function ofOwn(
  refunds: readonly { readonly id: string }[],
  { operations, receipts }: GoodsRecords,
): RecordedGoods {
  const sent = new Map(operations.map((operation) => [operation.receiptId, operation]));
  const recorded = (receipt: ReceiptRow | undefined): RecordedBody | null => {
    if (receipt === undefined) return null;
    const { body, personal } = receipt;
    return body === null ? (sent.get(receipt.id) ?? null) : { body, personal };
  };
  const said = (receipt: ReceiptRow | undefined) => itemsIn(recorded(receipt)?.body ?? null);
  const valid = receipts.filter(({ status }) => status !== 'void');
  const [whole, part] = [latestOf(receipts, owedKeys.payment), latestOf(valid, owedKeys.capture)];
  return {
    named: [...said(whole), ...said(part)],
    sold: said(part ?? whole),
    returned: refunds.flatMap(({ id }) => said(latestOf(valid, owedKeys.refund(id)))),
    receipt: recorded(part ?? whole),
  };
}

/** Of a request that is a receipt, or has one. */
function itemsIn(body: string | null): NamedItem[] {
  return saidItems(receiptIn(body)?.['items']);
}

/** The receipt in a request that is one, or has one. */
export function receiptIn(body: string | null): Readonly<Record<string, unknown>> | null {
  const request: unknown = body === null ? null : JSON.parse(body);
  if (!isRecord(request)) return null;
  return isRecord(request['receipt']) ? request['receipt'] : request;
}
