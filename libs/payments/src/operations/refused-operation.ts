import { ServiceCredentialsError, ServiceForbiddenError } from '../api/service-errors.js';
import { isRecord } from '../common/is-record.js';
import type { OperationEntity } from '../schema/operation.entity.js';

/**
 * Whether a refusal (401, 403) is about who asks and not about the request: an operation that the sweep sends is not refused
 * by it, and goes on once the credentials or the permission are put right. An answer without the service's own error body is
 * no refusal at all (`api/refusal.ts`), and after a lost attempt none is definite (`send/attempt.ts`).
 */
export function isAboutCredentials(refusal: unknown): boolean {
  return refusal instanceof ServiceCredentialsError || refusal instanceof ServiceForbiddenError;
}

/** Answers that refuse the request itself, not its sender. */
const REFUSALS = ['service_request_invalid', 'service_not_found'];
/** A hold that may not be captured may still be canceled: it must not wait for a permission. */
const FINISH_REFUSALS = [...REFUSALS, 'service_forbidden'];
const KEY_HEADER = 'idempotence-key';

/**
 * Whether, although an attempt was lost, the last one was refused: the same request under the same key would be refused again.
 * For a capture or cancel an answer about the key itself does not count: it says nothing about what the lost attempt did (G2).
 */
export function isRefused({ kind, outcome, lastError }: OperationEntity): boolean {
  if (kind === 'create' || outcome !== 'unknown' || !isRecord(lastError)) return false;
  const { code, parameter } = lastError;
  if (kind === 'refund' || kind === 'receipt') return REFUSALS.some((one) => one === code);
  const aboutKey = typeof parameter === 'string' && parameter.toLowerCase() === KEY_HEADER;
  return FINISH_REFUSALS.some((one) => one === code) && !aboutKey;
}
