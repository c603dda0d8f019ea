import { In } from 'typeorm';
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
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import type { RecordedBody } from '../personal-data.js';
import { receiptsOf } from './recorded-receipts.js';

type Payment = Pick<PaymentsPaymentEntity, 'id' | 'receiptsAfter' | 'amountMinor' | 'authorizedMinor'>;

export interface RecordedGoods extends NamedGoods {
  /** The receipt of what was paid, as it was recorded; null: there is none. */
  readonly receipt: RecordedBody | null;
}

/** The goods on the receipts of a payment and of its refunds, as they were recorded. */
export async function namedGoods(
  manager: Reader,
  payment: Payment,
  refunds: readonly Pick<PaymentsRefundEntity, 'id' | 'status'>[],
): Promise<RecordedGoods> {
  const open = refunds.filter(({ status }) => status !== 'rejected' && status !== 'canceled');
  return payment.receiptsAfter ? ofOwn(manager, payment, open) : ofRequests(manager, payment, open);
}

/** Those that went with the money. */
async function ofRequests(
  manager: Reader,
  payment: Payment,
  refunds: readonly { readonly id: string }[],
): Promise<RecordedGoods> {
  const operations = await manager.find(PaymentsOperationEntity, {
    where: { paymentId: payment.id, kind: In(['create', 'capture', 'refund']) },
    order: { recordedAt: 'ASC' },
  });
  const ids = new Set(refunds.map(({ id }) => id));
  const ofMoney = operations.filter(
    ({ refundId, outcome, body }) => refundId === null && outcome !== 'refused' && itemsIn(body).length > 0,
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
async function ofOwn(
  manager: Reader,
  { id: paymentId }: Payment,
  refunds: readonly { readonly id: string }[],
): Promise<RecordedGoods> {
  const receipts = await receiptsOf(manager, paymentId);
  const operations = await manager.findBy(PaymentsOperationEntity, { paymentId, kind: 'receipt' });
  const sent = new Map(operations.map((operation) => [operation.receiptId, operation]));
  const recorded = (receipt: PaymentsReceiptEntity | undefined): RecordedBody | null => {
    if (receipt === undefined) return null;
    const { body, personal } = receipt;
    return body === null ? (sent.get(receipt.id) ?? null) : { body, personal };
  };
  const said = (receipt: PaymentsReceiptEntity | undefined) => itemsIn(recorded(receipt)?.body ?? null);
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
