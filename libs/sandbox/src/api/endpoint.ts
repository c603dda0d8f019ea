import type { Maker } from '../partnership/apps.js';
import type { AppToken } from '../partnership/tokens.js';
import type { Store } from '../stores/store.js';
import type { Operation } from '../wire/operations.js';
import type { Permission } from '../wire/permissions.js';

/** The credentials of a call, and the store they act for. */
export interface Caller {
  readonly store: Store;
  /** null: the shop's own secret key. */
  readonly token: AppToken | null;
}

export function makerOf({ token }: Caller): Maker {
  return token?.app.clientId ?? null;
}

/** A request after authentication, free of HTTP, so that it can also be executed later. */
export interface ApiCall {
  readonly by: Caller;
  /** The `:id` of the path. */
  readonly id: string | null;
  readonly query: Readonly<Record<string, unknown>>;
  /** undefined if the request had no body. */
  readonly body: unknown;
  /** The Idempotence-Key; empty if the request had none, which a POST may not do. */
  readonly key: string;
}

/** One endpoint of the REST API. */
export interface Endpoint {
  readonly operation: Operation;
  readonly method: 'get' | 'post' | 'delete';
  readonly paths: readonly string[];
  /** Accepts only an OAuth token. */
  readonly bearerOnly?: true;
  /** Accepts only the shop's own key. */
  readonly basicOnly?: true;
  /** The permission that an app needs for it, if the profile has one; nothing if it is missing. */
  readonly permission?: Permission;
  /** The payment a call is about, for the ledger's counts. */
  readonly paymentOf?: (call: ApiCall) => string | null;
  /** Returns the body of the 200 answer or throws a ServiceError. Synchronous, so that no two calls mix. */
  readonly handle: (call: ApiCall) => unknown;
}
