import { In, type EntityManager } from 'typeorm';
import { isAmount } from '../../api/objects/fields.js';
import { isRecord } from '../../common/is-record.js';
import type { NamedGoods, NamedItem } from '../../receipts/goods-left.js';
import { latestOf, owedKeys } from '../../receipts/owed-keys.js';
import { OperationEntity } from '../../schema/operation.entity.js';
import type { PaymentEntity } from '../../schema/payment.entity.js';
import { ReceiptEntity } from '../../schema/receipt.entity.js';
import type { RefundEntity } from '../../schema/refund.entity.js';

type Payment = Pick<PaymentEntity, 'id' | 'receiptsAfter'>;

/** The goods on the receipts of a locked payment and of its refunds, as they were recorded. */
export async function namedGoods(
  manager: EntityManager,
  payment: Payment,
  refunds: readonly Pick<RefundEntity, 'id' | 'status'>[],
): Promise<NamedGoods> {
  const open = refunds.filter(({ status }) => status !== 'rejected' && status !== 'canceled');
  return payment.receiptsAfter ? ofOwn(manager, payment, open) : ofRequests(manager, payment, open);
}

/** Those that went with the money. */
async function ofRequests(
  manager: EntityManager,
  { id: paymentId }: Payment,
  refunds: readonly { readonly id: string }[],
): Promise<NamedGoods> {
  const operations = await manager.find(OperationEntity, {
    where: { paymentId, kind: In(['create', 'capture', 'refund']) },
    order: { recordedAt: 'ASC' },
  });
  const ids = new Set(refunds.map(({ id }) => id));
  const ofMoney = operations.filter(
    ({ refundId, outcome, body }) => refundId === null && outcome !== 'refused' && itemsIn(body).length > 0,
  );
  const ofRefunds = operations.filter(({ refundId }) => refundId !== null && ids.has(refundId));
  return {
    named: ofMoney.flatMap(({ body }) => itemsIn(body)),
    sold: itemsIn(ofMoney.at(-1)?.body ?? null),
    returned: ofRefunds.flatMap(({ body }) => itemsIn(body)),
  };
}

/** Those that follow the money. */
async function ofOwn(
  manager: EntityManager,
  { id: paymentId }: Payment,
  refunds: readonly { readonly id: string }[],
): Promise<NamedGoods> {
  const receipts = await manager.find(ReceiptEntity, {
    where: { paymentId },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  const operations = await manager.findBy(OperationEntity, { paymentId, kind: 'receipt' });
  const sent = new Map(operations.map(({ receiptId, body }) => [receiptId, body]));
  const said = (receipt: ReceiptEntity | undefined) =>
    receipt ? itemsIn(receipt.body ?? sent.get(receipt.id) ?? null) : [];
  const valid = receipts.filter(({ status }) => status !== 'void');
  const [whole, part] = [latestOf(receipts, owedKeys.payment), latestOf(valid, owedKeys.capture)];
  return {
    named: [...said(whole), ...said(part)],
    sold: said(part ?? whole),
    returned: refunds.flatMap(({ id }) => said(latestOf(valid, owedKeys.refund(id)))),
  };
}

/** Of a request that is a receipt, or has one. It fitted the rules of its day: those of today must not stop a refund. */
function itemsIn(body: string | null): NamedItem[] {
  const request: unknown = body === null ? null : JSON.parse(body);
  if (!isRecord(request)) return [];
  const receipt = isRecord(request['receipt']) ? request['receipt'] : request;
  const items: unknown = receipt['items'];
  return Array.isArray(items) ? items.filter(isNamed) : [];
}

function isNamed(item: unknown): item is NamedItem {
  return (
    isRecord(item) &&
    typeof item['description'] === 'string' &&
    isAmount(item['amount']) &&
    ['number', 'string'].includes(typeof item['quantity'])
  );
}
