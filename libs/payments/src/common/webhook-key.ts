import { randomBytes } from 'node:crypto';

/** 256 bits, base64url. */
export const WEBHOOK_KEY_LENGTH = 43;

const WEBHOOK_KEY = /^[\w-]{43}$/;

/** What tells a store in its webhook address: nobody can guess another's. */
export function newWebhookKey(): string {
  return randomBytes(32).toString('base64url');
}

/** Where a store's notifications go. */
export function webhookAddress(webhookUrl: string, webhookKey: string): string {
  return `${webhookUrl}/${webhookKey}`;
}

/** The key as it may stand in the database; what can be none is looked up all the same, and as quickly. */
export function lookedUpKey(given: string): string {
  return WEBHOOK_KEY.test(given) ? given : '';
}
