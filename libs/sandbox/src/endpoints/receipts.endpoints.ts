import type { Endpoint } from '../api/endpoint.js';
import type { Books } from '../books/books.js';
import { parseMinor, sumMinor } from '../common/money.js';
import type { Payment } from '../payments/payment.js';
import { mustAddUp, parseReceiptData } from '../receipts/receipt-data.js';
import { receiptView } from '../receipts/receipt-view.js';
import type { Receipt, ReceiptStatus, ReceiptType } from '../receipts/receipt.js';
import type { Store } from '../stores/store.js';
import { fields, knownName, optionalList, text } from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';
import { equals, listPage, timeBounds, type Query, type Test } from './list-page.js';
import { found, namedPayment, reading } from './reading.js';

const statuses: readonly ReceiptStatus[] = ['pending', 'succeeded', 'canceled'];
const settlementTypes = ['cashless', 'prepayment', 'postpayment', 'consideration'];
/** Receipts that one payment or refund may have. */
const MOST_RECEIPTS = 50;
const LONGEST_ID = 64;

/** Receipts that a shop sends by itself, over REST (assumed, like all about receipts). */
export function receiptEndpoints({
  receipts,
  payments,
  refunds,
}: Pick<Books, 'receipts' | 'payments' | 'refunds'>): Endpoint[] {
  const about = (store: Store, type: ReceiptType, body: ReturnType<typeof fields>) => {
    const { payment_id: paymentId, refund_id: refundId } = body;
    if ((paymentId === undefined) === (refundId === undefined))
      throw invalidRequest('Needs either payment_id or refund_id', 'payment_id');
    if (refundId !== undefined) {
      const refund = found(
        refunds.find(text(refundId, LONGEST_ID, 'refund_id'), store),
        'Refund',
        'refund_id',
      );
      if (type !== 'refund' || refund.status !== 'succeeded')
        throw invalidRequest('Receipt can not be made in current status', 'refund_id');
      return { paymentId: refund.paymentId, refundId: refund.id };
    }
    const payment = found(
      payments.find(text(paymentId, LONGEST_ID, 'payment_id'), store),
      'Payment',
      'payment_id',
    );
    if (!allows(payment, type))
      throw invalidRequest('Receipt can not be made in current status', 'payment_id');
    return { paymentId: payment.id, refundId: null };
  };

  return [
    {
      operation: 'receipt',
      method: 'post',
      paths: ['/v3/receipts'],
      paymentOf: ({ body }) => namedPayment(body),
      handle: ({ body, key, by: { store } }) => {
        const { receipts: fiscalization } = store;
        if (fiscalization === null) throw invalidRequest('This store has no receipts');
        const given = fields(body);
        const type = knownName<ReceiptType>(given['type'], ['payment', 'refund'], 'type');
        const object = about(store, type, given);
        if (given['send'] !== true) throw invalidRequest('Needs true', 'send');
        const data = parseReceiptData(given, fiscalization, '');
        const settlements = optionalList(given['settlements'], 10, 'settlements', parseSettlement);
        if (settlements.length === 0) throw invalidRequest('Needs at least one', 'settlements');
        mustAddUp(data, sumMinor(settlements), 'settlements');
        const earlier = receipts.of(object.paymentId).filter(({ refundId }) => refundId === object.refundId);
        if (earlier.length >= MOST_RECEIPTS)
          throw invalidRequest(`Has ${MOST_RECEIPTS} receipts already`, 'payment_id');
        const { items, rest } = data;
        return receiptView(
          receipts.send({ ...object, store, type, items, rest, settlements, isOwn: false, requestKey: key }),
        );
      },
    },
    {
      operation: 'list_receipts',
      method: 'get',
      paths: ['/v3/receipts'],
      handle: ({ query, by }) =>
        listPage(receipts.newestFirst(by.store), query, receiptFilters(query), receiptView),
    },
    reading('read_receipt', '/v3/receipts/:id', 'Receipt', receipts, receiptView),
  ];
}

/** Income of what is held or paid; its return after a hold let go, or a capture of a part. */
function allows({ status }: Payment, type: ReceiptType): boolean {
  return status === 'succeeded' || status === (type === 'payment' ? 'waiting_for_capture' : 'canceled');
}

function parseSettlement(value: unknown, parameter: string): Receipt['settlements'][number] {
  const given = fields(value, parameter);
  const type = knownName(given['type'], settlementTypes, `${parameter}.type`);
  const amountMinor = parseMinor(fields(given['amount'], `${parameter}.amount`)['value']);
  if (amountMinor === undefined) throw invalidRequest('Needs a decimal string', `${parameter}.amount.value`);
  return { type, amountMinor };
}

function receiptFilters(query: Query): Test<Receipt>[] {
  const { payment_id: paymentId, refund_id: refundId } = query;
  if (paymentId !== undefined && refundId !== undefined)
    throw invalidRequest('Goes without payment_id', 'refund_id');
  return [
    ...(paymentId === undefined ? [] : [(receipt: Receipt) => receipt.paymentId === paymentId]),
    ...(refundId === undefined ? [] : [(receipt: Receipt) => receipt.refundId === refundId]),
    ...equals<Receipt, ReceiptStatus>(query, 'status', statuses, ({ status }) => status),
    ...timeBounds<Receipt>(query, 'created_at', ({ createdAt }) => createdAt),
  ];
}
