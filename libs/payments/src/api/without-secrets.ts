import { isRecord } from '../common/is-record.js';
import { authorizationHeader, hasToken, type Credentials } from './credentials.js';
import { isText } from './objects/fields.js';
import { decoded, readable, withoutNumber } from './without-card-numbers.js';
import { withoutContact, withoutContacts } from './without-contacts.js';

/** Far more than is kept of a field, and far less than an answer may have. */
const LOOKED_AT = 8_192;

/**
 * An error body without the credentials, the card data, the cryptogram or token and the buyer's contacts of its request: if the service repeats them, they would
 * be stored with the error.
 */
export function withoutSecrets(
  errorBody: unknown,
  requestBody: string | undefined,
  credentials: Credentials,
): unknown {
  if (!isRecord(errorBody)) return errorBody;
  const { numbers, texts, contacts } = personalTextsOf(requestBody);
  const secrets = [...texts, ...secretsOf(credentials)];
  const bare = (text: string) => {
    const withoutValues = secrets.reduce(
      (rest, secret) => rest.replaceAll(secret, '[redacted]'),
      contacts.reduce(withoutContact, numbers.reduce(withoutNumber, text)),
    );
    return withoutContacts(withoutValues);
  };
  /** What a text says in another writing, without secrets; the text where that has none. */
  const bareIn = (text: string, written: string) => (bare(written) === written ? text : bare(written));
  const redacted = (whole: unknown) => {
    if (typeof whole !== 'string') return whole;
    const value = whole.slice(0, LOOKED_AT);
    // Encoded as in an address, they would not be found. A plus begins a phone number first, and is a space of a form after that.
    const rest = bareIn(bare(value), decoded(value));
    return bareIn(rest, readable(rest));
  };
  return Object.fromEntries(Object.entries(errorBody).map(([name, value]) => [name, redacted(value)]));
}

/** A webhook's address ends in what lets its sender in: the host's secret, if it has one, and the store's key. */
function keysOfWebhook(request: unknown): string[] {
  const url = isRecord(request) ? request['url'] : undefined;
  return isText(url) ? url.split('/').filter((part) => /^[\w-]{32,}$/.test(part)) : [];
}

/** As they are in the header, and bare. */
function secretsOf(credentials: Credentials): string[] {
  const bare = hasToken(credentials) ? credentials.accessToken : credentials.secretKey;
  const [, sent = ''] = authorizationHeader(credentials).split(' ');
  return [sent, bare.reveal()];
}

/** Card data, and who pays. A card's number is recognised however its digits are grouped. */
function personalTextsOf(requestBody: string | undefined): {
  numbers: string[];
  texts: string[];
  contacts: string[];
} {
  const isSuspect =
    requestBody !== undefined &&
    /"(?:payment_method_data|payment_token|customer|merchant_customer_id|url)"|mail|phone|tel/i.test(
      requestBody,
    );
  const request: unknown = isSuspect ? JSON.parse(requestBody) : null;
  const data = fieldsOf(request, 'payment_method_data');
  const card = fieldsOf(data, 'card');
  const customers = [request, fieldsOf(request, 'payment_data')].map((money) =>
    fieldsOf(fieldsOf(money, 'receipt'), 'customer'),
  );
  return {
    numbers: [card['number']].filter(isText),
    texts: [
      card['csc'],
      card['cardholder'],
      data['payment_method_token'],
      isRecord(request) ? request['payment_token'] : undefined,
      ...customers.flatMap((customer) => Object.values(customer)),
      ...keysOfWebhook(request),
    ].filter(isText),
    contacts: [
      // Often the buyer's email or phone.
      isRecord(request) ? request['merchant_customer_id'] : undefined,
      ...contactsIn(request),
    ].filter(isText),
  };
}

/** Wherever they are: fields that this module does not know may contain them too. */
function contactsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]: [string, unknown]) =>
    /mail|phone|^tel/i.test(name) && typeof field === 'string' ? [field] : contactsIn(field),
  );
}

function fieldsOf(object: unknown, name: string): Readonly<Record<string, unknown>> {
  const fields = isRecord(object) ? object[name] : undefined;
  return isRecord(fields) ? fields : {};
}
