import { dateOrNull, parseAmount, textOrNull } from '../api/objects/fields.js';
import { isRecord } from '../common/is-record.js';
import { formatAmount, type Amount } from '../common/money.js';

/** How a payment was paid. */
export interface PaymentMethod {
  /** `bank_card`, `wallet`, `wallet_pay`, `bank_app_pay`, or a name the interface does not know. */
  readonly type: string;
  /** Of a saved method: pass it as `paymentMethodId` to a later create. */
  readonly id: string | null;
  readonly saved: boolean;
  /** For the buyer, e.g. `Bank card *4477`. */
  readonly title: string | null;
  /** null unless it is a method with a card. */
  readonly card: PaymentCard | null;
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
  const income = parseAmount(fields['income_amount']);
  return {
    paymentMethod: parseMethod(fields['payment_method']),
    incomeAmount: income && formatAmount(income.amountMinor, income.currency),
    authorization: parseAuthorization(fields['authorization_details']),
    capturedAt: dateOrNull(fields['captured_at']),
    recipient: parseRecipient(fields['recipient']),
    refundable: fields['refundable'] === true,
  };
}

function parseRecipient(value: unknown): Recipient | null {
  if (!isRecord(value)) return null;
  return { accountId: textOrNull(value['account_id']), gatewayId: textOrNull(value['gateway_id']) };
}

function parseMethod(value: unknown): PaymentMethod | null {
  if (!isRecord(value) || typeof value['type'] !== 'string') return null;
  return {
    type: value['type'],
    id: textOrNull(value['id']),
    saved: value['saved'] === true,
    title: textOrNull(value['title']),
    card: parseCard(value['card']),
  };
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
