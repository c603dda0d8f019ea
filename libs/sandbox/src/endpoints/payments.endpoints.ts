import { makerOf, type ApiCall, type Endpoint } from '../api/endpoint.js';
import type { Books, Views } from '../books/books.js';
import type { SandboxClock } from '../clock/clock.js';
import type { Fields } from '../common/fields.js';
import { parseAirline } from '../payments/airline.js';
import type { Payment } from '../payments/payment.js';
import { capturedTransfers, parseSettlements, parseTransfers } from '../payments/shares.js';
import { usedMethod } from '../payments/used-method.js';
import { amountMinor, fields } from '../wire/body.js';
import { partyBehind } from '../wire/cancellation.js';
import { invalidRequest } from '../wire/service-error.js';
import { parseCreateRequest } from './create-request.js';
import { listPage } from './list-page.js';
import { captureFault } from './method-checks.js';
import { paymentFilters } from './payment-filters.js';
import { found, reading } from './reading.js';

interface Dependencies {
  readonly books: Pick<Books, 'payments' | 'savedMethods' | 'deals' | 'receiptDesk'>;
  readonly view: Views['payment'];
  readonly clock: SandboxClock;
}

/** Payments over REST (reading, listing and canceling are assumed). */
export function paymentEndpoints({ books, view, clock }: Dependencies): Endpoint[] {
  const { payments: book, savedMethods, deals, receiptDesk } = books;
  const held = ({ id, by }: ApiCall, done: string): Payment => {
    const payment = found(book.find(id ?? '', by.store), 'Payment');
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
          savedMethod: (id) => savedMethods.find(id, store),
          deal: (id) => deals.find(id, store),
          wasTokenUsed: (tokenDigest) => book.hasPaidByToken(tokenDigest),
          now: clock.now(),
          receipts: receiptDesk,
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
      ...reading('read', '/v3/payments/:id', 'Payment', book, view),
      permission: 'payments_get',
      paymentOf,
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
        const given = fields(call.body ?? {});
        const { amount, airline, receipt } = given;
        const capturedMinor = amount === undefined ? payment.amountMinor : amountMinor(amount);
        if (capturedMinor > payment.amountMinor) throw invalidRequest('Illegal amount for capture', 'amount');
        const fault = captureFault(payment, capturedMinor);
        if (fault !== null) throw invalidRequest(fault, 'amount');
        const trip = parseAirline(airline);
        if (trip && payment.method?.type !== 'bank_card') {
          throw invalidRequest('Goes with a bank card payment only', 'airline');
        }
        const data = receiptDesk.ofCapture(payment, receipt, capturedMinor);
        return view(
          book.capture(
            payment.id,
            capturedMinor,
            {
              ...(trip && { airline: trip }),
              ...(data && { receipt: data }),
              ...sharesOf(payment, given, capturedMinor),
            },
            call.key,
          ),
        );
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

/** How a capture shares out anew; a part of a payment that has transfers needs its own (assumed). */
function sharesOf(
  { store, amountMinor: heldMinor, transfers: before, deal: dealBefore }: Payment,
  { transfers: given, deal }: Fields,
  capturedMinor: number,
): Partial<Pick<Payment, 'transfers' | 'deal'>> {
  if (!store.names.isPublic) return {};
  const transfers = parseTransfers(given, capturedMinor);
  if (transfers.length === 0 && before.length > 0 && capturedMinor < heldMinor)
    throw invalidRequest('Needs the transfers of what is captured', 'transfers');
  return {
    ...(transfers.length > 0 && { transfers: capturedTransfers(before, transfers) }),
    ...(deal !== undefined &&
      dealBefore && { deal: { ...dealBefore, settlements: parseSettlements(deal, 'settlements') } }),
  };
}
