import { amountMinor, fields } from '../api/body.js';
import { makerOf, type ApiCall, type Endpoint } from '../api/endpoint.js';
import { listPage } from '../api/list-page.js';
import { invalidRequest, notFound } from '../api/service-error.js';
import type { SandboxClock } from '../clock/clock.js';
import type { SavedMethod } from '../objects/saved-method.js';
import type { ReceiptDesk } from '../receipts/receipt-desk.js';
import { ownedBy } from '../store/store.js';
import { parseAirline } from './airline.js';
import { partyBehind } from './cancellation-party.js';
import { parseCreateRequest } from './create-request.js';
import { captureFault } from './method-checks.js';
import type { PaymentBook } from './payment-book.js';
import { paymentFilters } from './payment-filters.js';
import type { WirePayment } from './payment-view.js';
import type { Payment } from './payment.js';
import { usedMethod } from './used-method.js';

interface Surroundings {
  readonly book: PaymentBook;
  readonly clock: SandboxClock;
  readonly savedMethod: (id: string) => SavedMethod | undefined;
  readonly view: (payment: Payment) => WirePayment;
  readonly receipts: ReceiptDesk;
}

/** Payments over REST (reading, listing and canceling are assumed). */
export function paymentEndpoints({ book, clock, savedMethod, view, receipts }: Surroundings): Endpoint[] {
  const existing = ({ id, by }: ApiCall): Payment => {
    const payment = ownedBy(by.store, book.find(id ?? ''));
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
      permission: 'payments_create',
      handle: ({ body, key, by }) => {
        const { store } = by;
        const { request, atOnce } = parseCreateRequest(body, {
          store,
          savedMethod: (id) => ownedBy(store, savedMethod(id)),
          now: clock.now(),
          receipts,
        });
        const payment = book.create(request, { store, createdBy: makerOf(by), createKey: key });
        if (!atOnce) return view(payment);
        const { method, decline } = atOnce;
        return view(
          decline === null
            ? book.confirm(payment.id, usedMethod(payment, method.type, method.card))
            : book.decline(payment.id, partyBehind(decline), decline),
        );
      },
    },
    {
      operation: 'list',
      method: 'get',
      paths: ['/v3/payments'],
      permission: 'payments_get',
      handle: ({ query, by: { store } }) =>
        listPage(book.newestFirst(store), query, paymentFilters(query, store.names), view),
    },
    {
      operation: 'read',
      method: 'get',
      paths: ['/v3/payments/:id'],
      permission: 'payments_get',
      paymentOf,
      handle: (call) => view(existing(call)),
    },
    {
      operation: 'capture',
      method: 'post',
      // The interface shows the shorter path; the longer one is assumed.
      paths: ['/v3/:id/capture', '/v3/payments/:id/capture'],
      permission: 'payments_capture',
      paymentOf,
      handle: (call) => {
        const payment = held(call, 'captured');
        const { amount, airline, receipt } = fields(call.body ?? {});
        const capturedMinor = amount === undefined ? payment.amountMinor : amountMinor(amount);
        if (capturedMinor > payment.amountMinor) throw invalidRequest('Illegal amount for capture', 'amount');
        const fault = captureFault(payment, capturedMinor);
        if (fault !== null) throw invalidRequest(fault, 'amount');
        const trip = parseAirline(airline);
        if (trip && payment.method?.type !== 'bank_card') {
          throw invalidRequest('Goes with a bank card payment only', 'airline');
        }
        const data = receipts.ofCapture(payment, receipt, capturedMinor);
        return view(book.capture(payment.id, capturedMinor, { airline: trip, receipt: data }, call.key));
      },
    },
    {
      operation: 'cancel',
      method: 'post',
      paths: ['/v3/:id/cancel', '/v3/payments/:id/cancel'],
      permission: 'payments_cancel',
      paymentOf,
      handle: (call) => view(book.cancel(held(call, 'canceled').id, call.key)),
    },
  ];
}

function paymentOf({ id }: ApiCall): string | null {
  return id;
}
