import { nameOf } from '../common/message-of.js';
import {
  shopCredentials,
  type Credentials,
  type CredentialsSource,
  type ShopCredentials,
} from './credentials.js';
import { ServiceCredentialsUnavailableError } from './service-errors.js';

/** The shop's secret key, or during a change the new one and the old one. */
export type SecretKeys = string | readonly string[];

/** Returns the secret key before every attempt of a request, so that it can change without a restart. */
export type SecretKeySource = () => SecretKeys | Promise<SecretKeys>;

/** The shop's credentials; a source is called each time. */
export function credentialsOfShop(
  shopId: string,
  secretKey: string | SecretKeySource,
): Credentials | CredentialsSource {
  if (typeof secretKey === 'string') return shopCredentials(shopId, secretKey);
  return async () => {
    const keys: unknown = await given(secretKey);
    const each: unknown[] = Array.isArray(keys) ? keys : [keys];
    const read = each.flatMap((key) => credentialsOrNone(shopId, key));
    if (read.length === 0 || read.length < each.length)
      throw unavailable('it returned no secret key or an invalid one');
    return read;
  };
}

async function given(secretKey: SecretKeySource): Promise<unknown> {
  try {
    return await secretKey();
  } catch (error) {
    throw unavailable(`it failed with ${nameOf(error) ?? 'what is no Error'}`);
  }
}

function credentialsOrNone(shopId: string, key: unknown): ShopCredentials[] {
  try {
    return typeof key === 'string' ? [shopCredentials(shopId, key)] : [];
  } catch {
    return [];
  }
}

function unavailable(reason: string): ServiceCredentialsUnavailableError {
  return new ServiceCredentialsUnavailableError(reason, { request: 'secretKey()' });
}
