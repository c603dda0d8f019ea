import { QueryFailedError } from 'typeorm';
import { ServiceError } from '../api/service-errors.js';
import { messageOf } from '../common/message-of.js';
import { PaymentOutcomeUnknownError, PaymentsError } from '../common/payments.errors.js';

/** The outcome of what was requested, or may have been, is not known; `cause`: what prevented that. */
export function outcomeUnknown(
  paymentId: string,
  operation: string,
  cause: unknown,
): PaymentOutcomeUnknownError {
  return new PaymentOutcomeUnknownError(paymentId, operation, {
    cause: withoutBodies(cause),
    ...(cause instanceof ServiceError && { reason: cause.reason }),
  });
}

/** For what follows a request: whatever ends it without an answer of the module's own leaves the caller without the outcome. */
export function orUnknown(paymentId: string, operation: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof PaymentsError ? error : outcomeUnknown(paymentId, operation, error);
  };
}

/** A failed query contains its parameters, including request bodies: only its message is passed on. */
function withoutBodies(error: unknown): unknown {
  return error instanceof QueryFailedError ? new Error(messageOf(error)) : error;
}
