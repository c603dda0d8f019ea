import { makerOf, type Endpoint } from '../api/endpoint.js';
import type { Books } from '../books/books.js';
import { refundView } from '../refunds/refund-view.js';
import type { Refund, RefundStatus } from '../refunds/refund.js';
import { equals, listPage, timeBounds, type Query, type Test } from './list-page.js';
import { found, namedPayment, reading } from './reading.js';
import { parseRefundRequest } from './refund-request.js';

const statuses: readonly RefundStatus[] = ['pending', 'succeeded', 'canceled'];

/** Refunds over REST (assumed: the interface leaves them open). */
export function refundEndpoints({
  refunds,
  payments,
  receiptDesk,
}: Pick<Books, 'refunds' | 'payments' | 'receiptDesk'>): Endpoint[] {
  return [
    {
      operation: 'refund',
      method: 'post',
      paths: ['/v3/refunds'],
      permission: 'refunds_create',
      paymentOf: ({ body }) => namedPayment(body),
      handle: ({ body, key, by }) => {
        const request = parseRefundRequest(body, by.store);
        const payment = found(payments.find(request.paymentId, by.store), 'Payment', 'payment_id');
        const receipt = receiptDesk.ofRefund(payment, request.receipt, request.amountMinor);
        return refundView(
          refunds.create(payment, { ...request, receipt }, { createdBy: makerOf(by), requestKey: key }),
        );
      },
    },
    {
      operation: 'list_refunds',
      method: 'get',
      paths: ['/v3/refunds'],
      permission: 'refunds_get',
      handle: ({ query, by }) =>
        listPage(refunds.newestFirst(by.store), query, refundFilters(query), refundView),
    },
    {
      ...reading('read_refund', '/v3/refunds/:id', 'Refund', refunds, refundView),
      permission: 'refunds_get',
    },
  ];
}

function refundFilters(query: Query): Test<Refund>[] {
  const wanted = query['payment_id'];
  return [
    ...(wanted === undefined ? [] : [({ paymentId }: Refund) => paymentId === wanted]),
    ...equals<Refund, RefundStatus>(query, 'status', statuses, ({ status }) => status),
    ...timeBounds<Refund>(query, 'created_at', ({ createdAt }) => createdAt),
  ];
}
