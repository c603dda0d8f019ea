import { namedPayment } from '../api/body.js';
import { makerOf, type Endpoint } from '../api/endpoint.js';
import { listPage, equals, timeBounds, type Query, type Test } from '../api/list-page.js';
import { notFound } from '../api/service-error.js';
import type { PaymentBook } from '../payments/payment-book.js';
import type { ReceiptDesk } from '../receipts/receipt-desk.js';
import { ownedBy } from '../store/store.js';
import type { RefundBook } from './refund-book.js';
import { parseRefundRequest } from './refund-request.js';
import type { WireRefund } from './refund-view.js';
import type { Refund, RefundStatus } from './refund.js';

const statuses: readonly RefundStatus[] = ['pending', 'succeeded', 'canceled'];

/** Refunds over REST (assumed: the interface leaves them open). */
export function refundEndpoints(
  refunds: RefundBook,
  payments: PaymentBook,
  receipts: ReceiptDesk,
  view: (refund: Refund) => WireRefund,
): Endpoint[] {
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
        const receipt = receipts.ofRefund(payment, request.receipt, request.amountMinor);
        return view(
          refunds.create(payment, { ...request, receipt }, { createdBy: makerOf(by), requestKey: key }),
        );
      },
    },
    {
      operation: 'list_refunds',
      method: 'get',
      paths: ['/v3/refunds'],
      permission: 'refunds_get',
      handle: ({ query, by }) => listPage(refunds.newestFirst(by.store), query, refundFilters(query), view),
    },
    {
      operation: 'read_refund',
      method: 'get',
      paths: ['/v3/refunds/:id'],
      permission: 'refunds_get',
      handle: ({ id, by }) => {
        const refund = ownedBy(by.store, refunds.find(id ?? ''));
        if (!refund) throw notFound('Refund not found or forbidden');
        return view(refund);
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
