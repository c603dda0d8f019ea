import { randomBytes } from 'node:crypto';

/** 256 bits, base64url. */
export const WEBHOOK_KEY_LENGTH = 43;

const WEBHOOK_KEY = /^[\w-]{43}$/;

/** Identifies a store in its webhook address: nobody can guess another's. */
export function newWebhookKey(): string {
  return randomBytes(32).toString('base64url');
}

/** The address of a store's notifications. */
export function webhookAddress(webhookUrl: string, webhookKey: string): string {
  return `${webhookUrl}/${webhookKey}`;
}

/** The key as the database may contain it; an invalid one is looked up all the same, and as quickly. */
export function lookedUpKey(given: string): string {
  return WEBHOOK_KEY.test(given) ? given : '';
}
