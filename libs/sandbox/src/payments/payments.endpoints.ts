import type { ApiCall, Endpoint } from '../api/endpoint.js';
import { invalidRequest, notFound } from '../api/service-error.js';
import { parseAmount, parseCreateRequest } from './create-request.js';
import { selectPage } from './list-query.js';
import type { Payment } from './payment.js';
import type { PaymentBook } from './payment-book.js';
import type { WirePayment } from './payment-view.js';

/** Payments over REST (section 4 of the service interface; reading, listing and canceling are assumed). */
export function paymentEndpoints(book: PaymentBook, view: (payment: Payment) => WirePayment): Endpoint[] {
  const existing = ({ id }: ApiCall): Payment => {
    const payment = book.find(id ?? '');
    if (!payment) throw notFound('Payment not found or forbidden');
    return payment;
  };
  const held = (call: ApiCall, done: string): Payment => {
    const payment = existing(call);
    if (payment.status === 'waiting_for_capture') return payment;
    throw invalidRequest(`Payment can not be ${done} in current status`);
  };

  return [
    {
      operation: 'create',
      method: 'post',
      paths: ['/v3/payments'],
      handle: ({ body, key }) => view(book.create(parseCreateRequest(body), key)),
    },
    {
      operation: 'list',
      method: 'get',
      paths: ['/v3/payments'],
      handle: ({ query }) => {
        const { items, nextCursor } = selectPage(book.newestFirst(), query);
        return {
          type: 'list',
          items: items.map(view),
          ...(nextCursor !== null && { next_cursor: nextCursor }),
        };
      },
    },
    {
      operation: 'read',
      method: 'get',
      paths: ['/v3/payments/:id'],
      handle: (call) => view(existing(call)),
    },
    {
      operation: 'capture',
      method: 'post',
      // The interface shows the shorter path; the longer one is assumed.
      paths: ['/v3/:id/capture', '/v3/payments/:id/capture'],
      handle: (call) => {
        const payment = held(call, 'captured');
        const amountMinor = requestedMinor(call.body) ?? payment.amountMinor;
        if (amountMinor > payment.amountMinor) throw invalidRequest('Illegal amount for capture', 'amount');
        return view(book.capture(payment.id, amountMinor, call.key));
      },
    },
    {
      operation: 'cancel',
      method: 'post',
      paths: ['/v3/:id/cancel', '/v3/payments/:id/cancel'],
      handle: (call) => view(book.cancel(held(call, 'canceled').id, call.key)),
    },
  ];
}

/** The amount a capture request names; undefined means all of it. */
function requestedMinor(body: unknown): number | undefined {
  const named = typeof body === 'object' && body !== null && 'amount' in body;
  return named ? parseAmount(body.amount) : undefined;
}
