import { isRecord } from '../common/is-record.js';

/** What hooks get about a request. Nothing here is secret, and it contains no body. */
export interface RequestInfo {
  /** The method of PaymentsApi, e.g. `createPayment`. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** As given in the call's options; null: the default store. */
  readonly store: string | null;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
  readonly idempotenceKey: string | null;
}

export interface AnswerInfo extends RequestInfo {
  readonly httpStatus: number;
  readonly durationMs: number;
}

export interface FailureInfo extends RequestInfo {
  /** null: no answer came. */
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** The error's code, e.g. `service_timeout`. */
  readonly code: string;
  readonly outcome: 'refused' | 'unknown';
  /** The service's id of its error answer. */
  readonly requestId: string | null;
}

/**
 * Called for every attempt, for logs and metrics. Each attempt is one `onRequest`, then one `onAnswer` or one `onFailure`; if the
 * circuit is open, only `onFailure`; while a key changes, both once more with the other key, as the same `attempt`. A hook that
 * fails breaks nothing and is logged once.
 */
export interface RequestHooks {
  onRequest?(info: RequestInfo): void | Promise<void>;
  onAnswer?(info: AnswerInfo): void | Promise<void>;
  onFailure?(info: FailureInfo): void | Promise<void>;
}

export const hooksRule =
  'must be an object with the functions onRequest, onAnswer and onFailure, or some of them';

export function areHooks(value: unknown): value is RequestHooks {
  if (!isRecord(value)) return false;
  const hooks = [value['onRequest'], value['onAnswer'], value['onFailure']];
  return hooks.every((hook) => hook === undefined || typeof hook === 'function');
}
