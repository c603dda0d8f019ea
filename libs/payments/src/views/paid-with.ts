import { dateOrNull, parseAmount, textOrNull } from '../api/objects/fields.js';
import { isRecord } from '../common/is-record.js';
import { formatAmount, type Amount } from '../common/money.js';

/** How a payment was paid. */
export interface PaymentMethod {
  /** `bank_card`, `wallet`, `wallet_pay`, a name of the public service, or one that this library does not know. */
  readonly type: string;
  /** Of a saved method: pass it as `paymentMethodId` to a later create. */
  readonly id: string | null;
  readonly saved: boolean;
  /** For the buyer, e.g. `Bank card *4477`. */
  readonly title: string | null;
  /** null unless it is a method with a card. */
  readonly card: PaymentCard | null;
  /** The buyer's, all but its last four digits masked; null unless the method asks for one. */
  readonly phone: string | null;
  /** By SBP, once it is paid: its number there, and the buyer's bank. */
  readonly sbp: { readonly operationId: string | null; readonly bankId: string | null } | null;
  /** By SberBank credit. */
  readonly loan: PaymentLoan | null;
  /** What an electronic certificate pays of it; null: there is none. */
  readonly certificateAmount: Amount | null;
}

/** A credit that a payment is made by. */
export interface PaymentLoan {
  /** `loan`, or `installments_6` for six months; null: not known yet. */
  readonly option: string | null;
  /** The payment is pending until then, since the law gives its buyer time to think it over; null: it waits for nothing. */
  readonly suspendedUntil: Date | null;
}

/** The card of a payment: never its whole number. null: the service does not say. */
export interface PaymentCard {
  readonly first6: string | null;
  readonly last4: string | null;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
  /** Card network. */
  readonly cardType: string | null;
  readonly productCode: string | null;
  readonly productName: string | null;
  /** Two-letter country code. */
  readonly issuerCountry: string | null;
  readonly issuerName: string | null;
  /** `card_app_pay`: paid through a card network's mobile payment app. */
  readonly source: string | null;
}

/** The data of the card's authorization. */
export interface Authorization {
  readonly rrn: string | null;
  readonly authCode: string | null;
  /** null: the service does not say. */
  readonly threeDSecureApplied: boolean | null;
}

/** The store that receives a payment, by the service's identifiers. */
export interface Recipient {
  readonly accountId: string | null;
  /** The part of the store that it comes through. */
  readonly gatewayId: string | null;
}

/** What the last object of the service contains besides its status. */
export interface PaidWith {
  readonly paymentMethod: PaymentMethod | null;
  /** What an instalment credit took off the amount; captures and refunds go by what is left. null: nothing. */
  readonly discount: Amount | null;
  /** What the store receives; null unless the payment succeeded. */
  readonly incomeAmount: Amount | null;
  readonly authorization: Authorization | null;
  /** When it was captured, by the service's clock; null unless the payment succeeded. */
  readonly capturedAt: Date | null;
  /** The store that receives it; null if the service does not say. */
  readonly recipient: Recipient | null;
  /** Whether the service would refund it. */
  readonly refundable: boolean;
}

/** Reads a stored object. It was only checked for id, status and amount, so anything else may be missing or odd. */
export function paidWith(object: object | null): PaidWith {
  const fields = isRecord(object) ? object : {};
  const method = fields['payment_method'];
  return {
    paymentMethod: parseMethod(method),
    discount: isRecord(method) ? parseSum(method['discount_amount']) : null,
    incomeAmount: parseSum(fields['income_amount']),
    authorization: parseAuthorization(fields['authorization_details']),
    capturedAt: dateOrNull(fields['captured_at']),
    recipient: parseRecipient(fields['recipient']),
    refundable: fields['refundable'] === true,
  };
}

function parseSum(value: unknown): Amount | null {
  const sum = parseAmount(value);
  return sum && formatAmount(sum.amountMinor, sum.currency);
}

function parseRecipient(value: unknown): Recipient | null {
  if (!isRecord(value)) return null;
  return { accountId: textOrNull(value['account_id']), gatewayId: textOrNull(value['gateway_id']) };
}

function parseMethod(value: unknown): PaymentMethod | null {
  if (!isRecord(value) || typeof value['type'] !== 'string') return null;
  return paymentMethodOf({ ...value, type: value['type'] });
}

export function paymentMethodOf(value: Readonly<Record<string, unknown>> & { type: string }): PaymentMethod {
  return {
    type: value.type,
    id: textOrNull(value['id']),
    saved: value['saved'] === true,
    title: textOrNull(value['title']),
    card: parseCard(value['card']),
    phone: textOrNull(value['phone']),
    sbp: parseSbp(value),
    loan: parseLoan(value),
    certificateAmount: parseCertificate(value['electronic_certificate']),
  };
}

function parseSbp(method: Readonly<Record<string, unknown>>): PaymentMethod['sbp'] {
  const operationId = textOrNull(method['sbp_operation_id']);
  const payer = method['payer_bank_details'];
  const bankId = isRecord(payer) ? textOrNull(payer['bank_id']) : null;
  return operationId === null && bankId === null ? null : { operationId, bankId };
}

function parseLoan(method: Readonly<Record<string, unknown>>): PaymentLoan | null {
  const option = textOrNull(method['loan_option']);
  const suspendedUntil = dateOrNull(method['suspended_until']);
  return option === null && suspendedUntil === null ? null : { option, suspendedUntil };
}

function parseCertificate(value: unknown): Amount | null {
  return isRecord(value) ? parseSum(value['amount']) : null;
}

function parseCard(value: unknown): PaymentCard | null {
  if (!isRecord(value)) return null;
  const product = isRecord(value['card_product']) ? value['card_product'] : {};
  return {
    first6: textOrNull(value['first6']),
    last4: textOrNull(value['last4']),
    expiryMonth: textOrNull(value['expiry_month']),
    expiryYear: textOrNull(value['expiry_year']),
    cardType: textOrNull(value['card_type']),
    productCode: textOrNull(product['code']),
    productName: textOrNull(product['name']),
    issuerCountry: textOrNull(value['issuer_country']),
    issuerName: textOrNull(value['issuer_name']),
    source: textOrNull(value['source']),
  };
}

function parseAuthorization(value: unknown): Authorization | null {
  if (!isRecord(value)) return null;
  const secure = isRecord(value['three_d_secure']) ? value['three_d_secure'] : {};
  return {
    rrn: textOrNull(value['rrn']),
    authCode: textOrNull(value['auth_code']),
    threeDSecureApplied: typeof secure['applied'] === 'boolean' ? secure['applied'] : null,
  };
}
