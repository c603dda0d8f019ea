import { authorizationHeader, hasToken, type Credentials } from './credentials.js';
import { isRecord } from './service-errors.js';

/**
 * An error body without the credentials, the card data and the cryptogram of the request it answers: what the service
 * repeats of them would be kept with the error.
 */
export function withoutSecrets(
  errorBody: unknown,
  requestBody: string | undefined,
  credentials: Credentials,
): unknown {
  if (!isRecord(errorBody)) return errorBody;
  const secrets = [...cardSecretsOf(requestBody), ...secretsOf(credentials)];
  const redacted = (value: unknown) =>
    typeof value === 'string'
      ? secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), value)
      : value;
  return Object.fromEntries(Object.entries(errorBody).map(([name, value]) => [name, redacted(value)]));
}

/** As they stand in the header, and bare. */
function secretsOf(credentials: Credentials): string[] {
  const bare = hasToken(credentials) ? credentials.accessToken : credentials.secretKey;
  const [, sent = ''] = authorizationHeader(credentials).split(' ');
  return [sent, bare.reveal()];
}

function cardSecretsOf(requestBody: string | undefined): string[] {
  if (!requestBody?.includes('"payment_method_data"')) return [];
  const request: unknown = JSON.parse(requestBody);
  const data = isRecord(request) ? request['payment_method_data'] : undefined;
  if (!isRecord(data)) return [];
  const card = isRecord(data['card']) ? data['card'] : {};
  const secrets = [card['number'], card['csc'], card['cardholder'], data['payment_method_token']];
  return secrets.flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []));
}
