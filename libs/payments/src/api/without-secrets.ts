import { isRecord } from '../common/is-record.js';
import { authorizationHeader, hasToken, type Credentials } from './credentials.js';
import { isText } from './objects/fields.js';
import { withoutNumber } from './without-card-numbers.js';

/**
 * An error body without the credentials, the card data and the cryptogram of its request: if the service repeats them, they would
 * be stored with the error.
 */
export function withoutSecrets(
  errorBody: unknown,
  requestBody: string | undefined,
  credentials: Credentials,
): unknown {
  if (!isRecord(errorBody)) return errorBody;
  const { numbers, texts } = cardSecretsOf(requestBody);
  const secrets = [...texts, ...secretsOf(credentials)];
  const redacted = (value: unknown) =>
    typeof value === 'string'
      ? secrets.reduce(
          (text, secret) => text.replaceAll(secret, '[redacted]'),
          numbers.reduce(withoutNumber, value),
        )
      : value;
  return Object.fromEntries(Object.entries(errorBody).map(([name, value]) => [name, redacted(value)]));
}

/** As they are in the header, and bare. */
function secretsOf(credentials: Credentials): string[] {
  const bare = hasToken(credentials) ? credentials.accessToken : credentials.secretKey;
  const [, sent = ''] = authorizationHeader(credentials).split(' ');
  return [sent, bare.reveal()];
}

/** A number is recognised however its digits are grouped. */
function cardSecretsOf(requestBody: string | undefined): { numbers: string[]; texts: string[] } {
  const request: unknown = requestBody?.includes('"payment_method_data"') ? JSON.parse(requestBody) : null;
  const data = isRecord(request) ? request['payment_method_data'] : undefined;
  if (!isRecord(data)) return { numbers: [], texts: [] };
  const card = isRecord(data['card']) ? data['card'] : {};
  return {
    numbers: [card['number']].filter(isText),
    texts: [card['csc'], card['cardholder'], data['payment_method_token']].filter(isText),
  };
}
