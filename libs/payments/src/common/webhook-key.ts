import { derivedKey } from './derived.js';

/** 256 bits, base64url. */
export const WEBHOOK_KEY_LENGTH = 43;

const WEBHOOK_KEY = /^[\w-]{43}$/;

/**
 * Identifies a store in its webhook address. Nobody can guess another's who does not know the seed; and the webhooks of a connection
 * that the database has forgotten have the address of the next one.
 */
export function webhookKeyOf(seed: string, accountId: string): string {
  return derivedKey(seed, 'webhook', accountId);
}

/** The address of a store's notifications. */
export function webhookAddress(webhookUrl: string, webhookKey: string): string {
  return `${webhookUrl}/${webhookKey}`;
}

/** The key as the database may contain it; an invalid one is looked up all the same, and as quickly. */
export function lookedUpKey(given: string): string {
  return WEBHOOK_KEY.test(given) ? given : '';
}
