import { isRecord } from './service-errors.js';
import { withoutCardNumbers } from './without-card-numbers.js';

/** What is kept of an object: the fields named here. `plain`: a text, number or flag; `texts`: any names, each with one. */
type Shape = { readonly [field: string]: 'plain' | 'texts' | Shape };

const plain = 'plain';
const amount: Shape = { value: plain, currency: plain };
const store: Shape = { account_id: plain, gateway_id: plain };
const cancellation: Shape = { party: plain, reason: plain };
const card: Shape = {
  first6: plain,
  last4: plain,
  expiry_month: plain,
  expiry_year: plain,
  card_type: plain,
  card_product: { code: plain, name: plain },
  issuer_country: plain,
  issuer_name: plain,
  source: plain,
};
const method: Shape = {
  type: plain,
  id: plain,
  saved: plain,
  title: plain,
  card,
  // assumed, of a saved method: the interface does not show them
  status: plain,
  holder: store,
};

/** What the interface names and, of what it leaves open, what is assumed. */
const shapes = {
  payment: {
    id: plain,
    status: plain,
    paid: plain,
    amount,
    income_amount: amount,
    refunded_amount: amount,
    confirmation: { type: plain, return_url: plain, confirmation_url: plain },
    created_at: plain,
    captured_at: plain,
    expires_at: plain,
    description: plain,
    metadata: 'texts',
    payment_method: method,
    recipient: store,
    refundable: plain,
    test: plain,
    authorization_details: { rrn: plain, auth_code: plain, three_d_secure: { applied: plain } },
    cancellation_details: cancellation,
    receipt_registration: plain,
  },
  refund: {
    id: plain,
    payment_id: plain,
    status: plain,
    amount,
    created_at: plain,
    description: plain,
    cancellation_details: cancellation,
    refund_authorization_details: { rrn: plain },
    receipt_registration: plain,
    metadata: 'texts',
  },
  payout: {
    id: plain,
    status: plain,
    amount,
    payout_destination: method,
    created_at: plain,
    succeeded_at: plain,
    test: plain,
    cancellation_details: cancellation,
    description: plain,
    metadata: 'texts',
  },
  deal: {
    id: plain,
    status: plain,
    type: plain,
    balance: amount,
    payout_balance: amount,
    created_at: plain,
    expires_at: plain,
    test: plain,
    description: plain,
    metadata: 'texts',
  },
  payment_method: method,
} as const satisfies Record<string, Shape>;

export type KeptType = keyof typeof shapes;

/** Identifiers, addresses, amounts and times, which are used as they are. */
const EXACT = /(?:^|_)(?:id|url|value|at)$/;

/**
 * What is kept of an object that the service sent: the fields that the interface names, and no card number in any text of
 * theirs. Card data it repeats elsewhere, a security code above all, looks like anything; so what is not named is not kept.
 */
export function keptOf(type: KeptType, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return keptFields(shapes[type], object);
}

/** Of an object of a type that nobody knows yet: which it is, and its status. */
export function keptOfUnknown(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return keptFields({ id: plain, status: plain }, object);
}

export function isKeptType(type: string): type is KeptType {
  return Object.hasOwn(shapes, type);
}

function keptFields(shape: Shape, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(shape)) {
    const value = Object.hasOwn(object, name) ? keptValue(part, name, object[name]) : undefined;
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

function keptValue(part: Shape[string], name: string, value: unknown): unknown {
  if (part === 'plain') return keptPlain(name, value);
  if (!isRecord(value)) return undefined;
  if (part !== 'texts') return keptFields(part, value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => {
      const kept = keptPlain('', text);
      return kept === undefined ? [] : [[withoutCardNumbers(key), kept]];
    }),
  );
}

function keptPlain(name: string, value: unknown): unknown {
  if (typeof value === 'string') return EXACT.test(name) ? value : withoutCardNumbers(value);
  if (typeof value === 'number')
    return withoutCardNumbers(String(value)) === String(value) ? value : undefined;
  return typeof value === 'boolean' || value === null ? value : undefined;
}
