import type { Permission } from '../oauth/permissions.js';
import type { AppToken } from '../oauth/tokens.js';
import type { Store } from '../store/store.js';

/** Whose credentials a call has, and the store they act for. */
export interface Caller {
  readonly store: Store;
  /** null: the shop's own secret key. */
  readonly token: AppToken | null;
}

/** Client id of the app that made an object; null: the shop made it itself. */
export type Maker = string | null;

export function makerOf({ token }: Caller): Maker {
  return token?.app.clientId ?? null;
}

/** Requests that change something. */
export const writes = ['create', 'capture', 'cancel', 'refund', 'webhook', 'delete_webhook'] as const;

/** What faults and the ledger call the endpoints. */
export const operations = [
  ...writes,
  'read',
  'list',
  'read_refund',
  'list_refunds',
  'me',
  'list_webhooks',
  'read_payout',
  'read_deal',
  'read_payment_method',
  'token',
  'revoke_token',
] as const;

export type Operation = (typeof operations)[number];

/** A request after authentication, free of HTTP, so that it can also be carried out later. */
export interface ApiCall {
  readonly by: Caller;
  /** The `:id` of the path. */
  readonly id: string | null;
  readonly query: Readonly<Record<string, unknown>>;
  /** undefined where the request had no body. */
  readonly body: unknown;
  /** The Idempotence-Key; empty where the request had none, which a POST may not do. */
  readonly key: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One endpoint of the REST API; each feature brings its own list of them. */
export interface Endpoint {
  readonly operation: Operation;
  readonly method: 'get' | 'post' | 'delete';
  readonly paths: readonly string[];
  /** Answers to an OAuth token alone. */
  readonly bearerOnly?: true;
  /** What an app needs for it, where the profile has such a permission; nothing where it is missing. */
  readonly permission?: Permission;
  /** The payment a call is about, for the ledger's counts. */
  readonly paymentOf?: (call: ApiCall) => string | null;
  /** Returns the body of the 200 answer or throws a ServiceError. Synchronous, so that no two calls mix. */
  readonly handle: (call: ApiCall) => unknown;
}
