import { isRecord } from '../common/is-record.js';
import { PaymentInputError } from '../common/payments.errors.js';
import { Secret } from './secret.js';

/** HTTP Basic with the shop identifier and its secret key. */
export interface ShopCredentials {
  readonly shopId: string;
  readonly secretKey: Secret;
}

/** A token by which an app acts for a store. */
export interface TokenCredentials {
  readonly accessToken: Secret;
}

export type Credentials = ShopCredentials | TokenCredentials;

/**
 * Called before every attempt, so that credentials can change without a restart. Of several, the one that worked last is tried
 * first; if the service no longer knows it (401), the next one is tried within the same attempt.
 */
export type CredentialsSource = (
  store: string | undefined,
) => Credentials | readonly Credentials[] | Promise<Credentials | readonly Credentials[]>;

/** The credentials from a source: at least one. */
export type GivenCredentials = readonly [Credentials, ...Credentials[]];

/**
 * Credentials of the shop itself. The key prints as `[redacted]` wherever it is logged.
 * @throws PaymentInputError if the identifier or the key is invalid
 */
export function shopCredentials(shopId: string, secretKey: string): ShopCredentials {
  // A colon would end the user name of HTTP Basic early.
  if (typeof shopId !== 'string' || !/^[^\s:]+$/.test(shopId))
    throw new PaymentInputError('shopId', 'must be the shop identifier from the Merchant Profile');
  return { shopId, secretKey: secretOf(secretKey, 'secretKey') };
}

/**
 * Credentials of an app that acts for a store. The token prints as `[redacted]` wherever it is logged.
 * @throws PaymentInputError if it cannot be a token
 */
export function tokenCredentials(accessToken: string): TokenCredentials {
  return { accessToken: secretOf(accessToken, 'accessToken') };
}

export const credentialsRule = 'must be what shopCredentials() or tokenCredentials() returns';

export function areCredentials(value: unknown): value is Credentials {
  if (!isRecord(value)) return false;
  const isShop = typeof value['shopId'] === 'string' && value['secretKey'] instanceof Secret;
  return isShop || value['accessToken'] instanceof Secret;
}

/** null if a source returned something else. */
export function parseCredentials(given: unknown): GivenCredentials | null {
  const [first, ...others]: unknown[] = Array.isArray(given) ? given : [given];
  return areCredentials(first) && others.every(areCredentials) ? [first, ...others] : null;
}

export function hasToken(credentials: Credentials): credentials is TokenCredentials {
  return 'accessToken' in credentials;
}

export function authorizationHeader(credentials: Credentials): string {
  if (hasToken(credentials)) return `Bearer ${credentials.accessToken.reveal()}`;
  return basicHeader(credentials.shopId, credentials.secretKey);
}

export function basicHeader(user: string, password: Secret): string {
  return `Basic ${Buffer.from(`${user}:${password.reveal()}`).toString('base64')}`;
}

/** The characters that a header allows: printable ASCII without spaces. */
export function isSecretText(value: string): boolean {
  return /^[\x21-\x7e]+$/.test(value);
}

function secretOf(value: string, field: string): Secret {
  if (typeof value !== 'string' || !isSecretText(value))
    throw new PaymentInputError(field, 'must be printable ASCII without spaces, and not empty');
  return new Secret(value);
}
