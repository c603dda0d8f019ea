/** What faults and the ledger call the endpoints. */
export type Operation = 'create' | 'read' | 'list' | 'capture' | 'cancel';

/** A request after authentication, free of HTTP, so that it can also be carried out later. */
export interface ApiCall {
  /** The `:id` of the path. */
  readonly id: string | null;
  readonly query: Readonly<Record<string, unknown>>;
  /** undefined where the request had no body. */
  readonly body: unknown;
  /** The Idempotence-Key; empty where the request had none, which only a GET may do. */
  readonly key: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One endpoint of the REST API; each feature brings its own list of them. */
export interface Endpoint {
  readonly operation: Operation;
  readonly method: 'get' | 'post';
  readonly paths: readonly string[];
  /** Returns the body of the 200 answer or throws a ServiceError. Synchronous, so that no two calls mix. */
  readonly handle: (call: ApiCall) => unknown;
}
