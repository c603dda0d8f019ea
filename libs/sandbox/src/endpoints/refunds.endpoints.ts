import { makerOf, type Endpoint } from '../api/endpoint.js';
import type { Books } from '../books/books.js';
import { refundView } from '../refunds/refund-view.js';
import type { Refund, RefundStatus } from '../refunds/refund.js';
import { ownedBy } from '../stores/store.js';
import { notFound } from '../wire/service-error.js';
import { listPage, equals, timeBounds, type Query, type Test } from './list-page.js';
import { namedPayment } from './named-objects.js';
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
        const request = parseRefundRequest(body);
        const payment = ownedBy(by.store, payments.find(request.paymentId));
        if (!payment) throw notFound('Payment not found or forbidden', 'payment_id');
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
      operation: 'read_refund',
      method: 'get',
      paths: ['/v3/refunds/:id'],
      permission: 'refunds_get',
      handle: ({ id, by }) => {
        const refund = ownedBy(by.store, refunds.find(id ?? ''));
        if (!refund) throw notFound('Refund not found or forbidden');
        return refundView(refund);
      },
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
