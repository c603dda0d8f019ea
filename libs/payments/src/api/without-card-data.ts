import { isRecord } from './service-errors.js';

/**
 * An error body without the card data and cryptograms of the request it answers: what the service repeats of them
 * would be kept with the error.
 */
export function withoutCardData(errorBody: unknown, requestBody: string | undefined): unknown {
  const secrets = secretsOf(requestBody);
  if (secrets.length === 0 || !isRecord(errorBody)) return errorBody;
  const redacted = (value: unknown) =>
    typeof value === 'string'
      ? secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), value)
      : value;
  return Object.fromEntries(Object.entries(errorBody).map(([name, value]) => [name, redacted(value)]));
}

function secretsOf(requestBody: string | undefined): string[] {
  if (!requestBody?.includes('"payment_method_data"')) return [];
  const request: unknown = JSON.parse(requestBody);
  const data = isRecord(request) ? request['payment_method_data'] : undefined;
  if (!isRecord(data)) return [];
  const card = isRecord(data['card']) ? data['card'] : {};
  const secrets = [card['number'], card['csc'], card['cardholder'], data['payment_method_token']];
  return secrets.flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []));
}
