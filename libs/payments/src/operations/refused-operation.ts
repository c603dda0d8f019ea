import {
  ServiceCredentialsError,
  ServiceForbiddenError,
  type ServiceKeyReusedError,
} from '../api/service-errors.js';
import { isRecord } from '../common/is-record.js';
import type { PaymentsOperationEntity } from '../schema/operation.entity.js';

/**
 * Whether a refusal (401, 403) is about who asks and not about the request: an operation that the sweep sends is not refused
 * by it, and goes on once the credentials or the permission are put right. An answer without the service's own error body is
 * no refusal at all (`api/refusal.ts`), and after a lost attempt none is definite (`send/attempt.ts`).
 */
export function isAboutCredentials(refusal: unknown): boolean {
  return refusal instanceof ServiceCredentialsError || refusal instanceof ServiceForbiddenError;
}

/** The code of an error that says: the service has something else under the key. */
export const KEY_REUSED = 'service_key_reused' satisfies ServiceKeyReusedError['code'];

/** Whether the service has something else under its key. */
export function isKeyReused({ lastError }: Pick<PaymentsOperationEntity, 'lastError'>): boolean {
  return isRecord(lastError) && lastError['code'] === KEY_REUSED;
}

/** Answers that refuse the request itself, not its sender. */
const REFUSALS = ['service_request_invalid', 'service_not_found'];
/** A hold that may not be captured may still be canceled: it must not wait for a permission. */
const FINISH_REFUSALS = [...REFUSALS, 'service_forbidden'];
const KEYED_REFUSALS = [...REFUSALS, KEY_REUSED];

/**
 * Whether, although an attempt was lost, the last one was refused: the same request under the same key would be refused again.
 * For a capture or cancel an answer about the key itself does not count: it says nothing about what the lost attempt did (G2).
 */
export function isRefused({ kind, outcome, lastError }: PaymentsOperationEntity): boolean {
  if (kind === 'create' || outcome !== 'unknown' || !isRecord(lastError)) return false;
  const refusals = kind === 'refund' || kind === 'receipt' ? KEYED_REFUSALS : FINISH_REFUSALS;
  return refusals.some((one) => one === lastError['code']);
}
