import { isRecord } from '../common/is-record.js';
import { limits } from './limits.js';
import { beginningWithoutCardNumbers, withoutCardNumbers } from './without-card-numbers.js';

/** Characters of the longest text and of the longest address. What sends more is no object of the service. */
const LONGEST_TEXT = limits.metadataValueLength.value;
/** Fifteen digits, in groups or not. */
const LONGEST_PHONE = 32;
const LONGEST_EXACT = limits.returnUrlLength.value;

/** The part of a value to keep; undefined: nothing. */
type Kept = (value: unknown) => unknown;

/** The part of an object to keep: these fields of it. */
type Shape = readonly (readonly [field: string, kept: Kept])[];

const amount = fields({ value: exact, currency: plain });
const store = fields({ account_id: exact, gateway_id: exact });
const cancellation = fields({ party: plain, reason: plain });
const card = fields({
  first6: plain,
  last4: plain,
  expiry_month: plain,
  expiry_year: plain,
  card_type: plain,
  card_product: fields({ code: plain, name: plain }),
  issuer_country: plain,
  issuer_name: plain,
  source: plain,
});
const method = shapeOf({
  type: plain,
  id: exact,
  saved: plain,
  title: plain,
  card,
  // assumed, of a saved method: the interface does not show them
  status: plain,
  holder: store,
  // of methods that the public service alone has
  phone: maskedPhone,
  sbp_operation_id: exact,
  payer_bank_details: fields({ bank_id: exact, bic: exact }),
  loan_option: plain,
  discount_amount: amount,
  suspended_until: exact,
  electronic_certificate: fields({ amount, basket_id: exact }),
});

/** The fields that the interface names and, where it leaves them open, those assumed. */
const shapes = {
  payment: shapeOf({
    id: exact,
    status: plain,
    paid: plain,
    amount,
    income_amount: amount,
    refunded_amount: amount,
    confirmation: fields({
      type: plain,
      return_url: exact,
      confirmation_url: exact,
      confirmation_token: exact,
      confirmation_data: exact,
    }),
    created_at: exact,
    captured_at: exact,
    expires_at: exact,
    description: plain,
    metadata: texts,
    payment_method: within(method),
    recipient: store,
    refundable: plain,
    test: plain,
    authorization_details: fields({
      rrn: plain,
      auth_code: plain,
      three_d_secure: fields({ applied: plain }),
    }),
    cancellation_details: cancellation,
    receipt_registration: plain,
  }),
  refund: shapeOf({
    id: exact,
    payment_id: exact,
    status: plain,
    amount,
    created_at: exact,
    description: plain,
    cancellation_details: cancellation,
    refund_authorization_details: fields({ rrn: plain }),
    receipt_registration: plain,
    metadata: texts,
  }),
  receipt: shapeOf({
    id: exact,
    type: plain,
    payment_id: exact,
    refund_id: exact,
    status: plain,
    fiscal_document_number: exact,
    fiscal_storage_number: exact,
    fiscal_attribute: exact,
    registered_at: exact,
    fiscal_provider_id: exact,
  }),
  payout: shapeOf({
    id: exact,
    status: plain,
    amount,
    payout_destination: within(method),
    created_at: exact,
    succeeded_at: exact,
    test: plain,
    cancellation_details: cancellation,
    description: plain,
    metadata: texts,
  }),
  deal: shapeOf({
    id: exact,
    status: plain,
    type: plain,
    balance: amount,
    payout_balance: amount,
    created_at: exact,
    expires_at: exact,
    test: plain,
    description: plain,
    metadata: texts,
  }),
  payment_method: method,
} as const satisfies Record<string, Shape>;

const unknownShape = shapeOf({ id: exact, status: plain });

type KeptType = keyof typeof shapes;

/**
 * The part of the service's object to keep: the fields that the interface names, with no card number in any text of theirs. Card
 * data in other fields, a security code above all, cannot be recognized; so unnamed fields are not kept.
 */
export function keptOf(type: KeptType, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return keptFields(shapes[type], object);
}

/** For an object of an unknown type: its id and its status. */
export function keptOfUnknown(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return keptFields(unknownShape, object);
}

export function isKeptType(type: string): type is KeptType {
  return Object.hasOwn(shapes, type);
}

/** An identifier, an address, an amount or a time, which is kept unchanged or not at all. */
function exact(value: unknown): unknown {
  if (typeof value !== 'string') return plain(value);
  return value.length <= LONGEST_EXACT ? value : undefined;
}

/** All of it but the last four digits: the buyer recognizes it, and nobody can call. */
function maskedPhone(value: unknown): unknown {
  return typeof value === 'string' && value.length <= LONGEST_PHONE
    ? value.replace(/\d(?=(?:\D*\d){4})/g, '*')
    : undefined;
}

/** The beginning of any other text, a number or a flag. */
function plain(value: unknown): unknown {
  if (typeof value === 'string') return beginningWithoutCardNumbers(value, LONGEST_TEXT);
  if (typeof value === 'number')
    return withoutCardNumbers(String(value)) === String(value) ? value : undefined;
  return typeof value === 'boolean' || value === null ? value : undefined;
}

/** Any names, each with one of those; the first of them, as many as there can be. */
function texts(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, limits.metadataEntries.value)
      .flatMap(([key, text]) => {
        const kept = plain(text);
        const name = beginningWithoutCardNumbers(key, limits.metadataKeyLength.value);
        return kept === undefined ? [] : [[name, kept]];
      }),
  );
}

function fields(named: Readonly<Record<string, Kept>>): Kept {
  return within(shapeOf(named));
}

function within(shape: Shape): Kept {
  return (value) => (isRecord(value) ? keptFields(shape, value) : undefined);
}

function shapeOf(named: Readonly<Record<string, Kept>>): Shape {
  return Object.entries(named);
}

function keptFields(shape: Shape, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, keep] of shape) {
    const value = Object.hasOwn(object, name) ? keep(object[name]) : undefined;
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
