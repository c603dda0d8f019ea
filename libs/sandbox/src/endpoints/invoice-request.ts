import type { Fields } from '../common/fields.js';
import { DAY_MS } from '../common/time.js';
import type { DeliveryType, InvoiceRequest } from '../invoices/invoice.js';
import type { ReceiptDesk } from '../receipts/receipt-desk.js';
import { lineTotalMinor } from '../receipts/receipt-item.js';
import type { Store } from '../stores/store.js';
import {
  amountMinor,
  fields,
  knownName,
  matching,
  metadata,
  optionalBoolean,
  optionalList,
  optionalText,
  text,
  thousandths,
} from '../wire/body.js';
import { invalidRequest } from '../wire/service-error.js';
import { savingOf } from './method-checks.js';

const LONGEST = { description: 128, gatewayId: 64, email: 254 };
const MOST_LINES = 1_000;
const LONGEST_TERM_MS = 30 * DAY_MS;
const deliveryTypes: readonly DeliveryType[] = ['self', 'email', 'sms'];
/** What an invoice is at least; by SMS it costs the shop. */
const LEAST_MINOR = { self: 1_00, email: 1_00, sms: 100_00 };

interface Known {
  readonly store: Store;
  readonly now: Date;
  readonly receipts: ReceiptDesk;
}

/** Reads the body of an invoice or throws its error (assumed: the errors). */
export function parseInvoiceRequest(body: unknown, known: Known): InvoiceRequest {
  const given = fields(body);
  const payment = paymentOf(fields(given['payment_data'], 'payment_data'), known);
  const delivery = deliveryOf(given['delivery_method_data']);
  if (payment.amountMinor < LEAST_MINOR[delivery ?? 'self'])
    throw invalidRequest('Is too little for an invoice', 'payment_data.amount.value');
  if (given['locale'] !== undefined) knownName(given['locale'], ['ru_RU', 'en_US'], 'locale');
  return {
    payment,
    cart: cartOf(given['cart'], payment.amountMinor),
    expiresAt: expiryOf(given['expires_at'], known.now),
    delivery,
    description: optionalText(given['description'], LONGEST.description, 'description'),
    metadata: metadata(given['metadata']),
  };
}

function paymentOf(data: Fields, { store, receipts }: Known): InvoiceRequest['payment'] {
  const minor = amountMinor(data['amount'], 'payment_data.amount');
  const to = data['recipient'];
  const gateway = to === undefined ? undefined : fields(to, 'payment_data.recipient')['gateway_id'];
  return {
    amountMinor: minor,
    capture: optionalBoolean(data['capture'], 'payment_data.capture') ?? false,
    confirmation: 'redirect',
    enforce3ds: false,
    description: optionalText(data['description'], LONGEST.description, 'payment_data.description'),
    metadata: metadata(data['metadata'], 'payment_data.metadata'),
    method: null,
    saving: savingOf(data['save_payment_method'], null, store),
    savedMethodId: null,
    tokenDigest: null,
    echoed: {},
    gatewayId:
      to === undefined ? null : text(gateway, LONGEST.gatewayId, 'payment_data.recipient.gateway_id'),
    transfers: [],
    deal: null,
    airline: null,
    receipt: receipts.ofCreation(store, { receipt: data['receipt'], amountMinor: minor, type: null }),
  };
}

function cartOf(value: unknown, wholeMinor: number): InvoiceRequest['cart'] {
  let totalMinor = 0;
  const cart = optionalList(value, MOST_LINES, 'cart', (line, at) => {
    const given = fields(line, at);
    text(given['description'], LONGEST.description, `${at}.description`);
    const price = amountMinor(given['price'], `${at}.price`);
    const discount = given['discount_price'];
    const unitMinor = discount === undefined ? price : amountMinor(discount, `${at}.discount_price`);
    totalMinor += lineTotalMinor(unitMinor, thousandths(given['quantity'], `${at}.quantity`));
    return given;
  });
  if (cart.length === 0) throw invalidRequest('Needs at least one', 'cart');
  if (totalMinor !== wholeMinor) throw invalidRequest('Needs lines that add up to the amount', 'cart');
  return cart;
}

function deliveryOf(value: unknown): DeliveryType | null {
  if (value === undefined) return null;
  const at = 'delivery_method_data';
  const { type, phone, email } = fields(value, at);
  const delivery = knownName(type, deliveryTypes, `${at}.type`);
  if (delivery === 'sms') matching(phone, /^\d{4,15}$/, 'Needs 4 to 15 digits', `${at}.phone`);
  if (delivery === 'email')
    matching(
      text(email, LONGEST.email, `${at}.email`),
      /^[^\s@]+@[^\s@]+$/,
      'Needs an address',
      `${at}.email`,
    );
  return delivery;
}

function expiryOf(value: unknown, now: Date): Date {
  const at = new Date(typeof value === 'string' ? value : NaN);
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs > 0 && aheadMs <= LONGEST_TERM_MS) return at;
  throw invalidRequest('Needs an ISO 8601 time within 30 days', 'expires_at');
}
