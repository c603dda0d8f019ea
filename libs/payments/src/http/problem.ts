import { ServiceError } from '../api/service-errors.js';
import { messageOf } from '../common/message-of.js';
import { PaymentInputError, PaymentsError } from '../common/payments.errors.js';
import type { DatabaseDeadlineError } from '../database/deadline-error.js';
import type { PaymentsErrorCode } from './error-codes.js';
import { problems, type ProblemKind } from './problems.js';

/** The body of a failed request, `application/problem+json` (RFC 9457). Nothing in it is secret, and no id or reference. */
export interface Problem {
  /** A URN that ends in the code. */
  readonly type: string;
  /** What happened. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What to do next; for `payment_input` the field and its rule. */
  readonly detail: string;
  /** The error's own `code`. */
  readonly code: string;
  /** When to try again, in seconds, where that is known; the header `Retry-After` says the same. */
  readonly retryAfterSeconds?: number;
}

/** A class of the host's own that extends PaymentsError has no line of the table. */
const unlisted: ProblemKind = {
  status: 500,
  title: 'Something is wrong with the payment',
  detail: 'The application’s log says what.',
};

/**
 * What an error of this module is over HTTP, as `PaymentsExceptionFilter` answers it: for a filter of the host's own, which answers
 * with pages, say.
 */
export function problemOf(error: PaymentsError | DatabaseDeadlineError): Problem {
  const { code } = error;
  const kind: ProblemKind = isListed(code) ? problems[code] : unlisted;
  const retryAfterSeconds = askedToWaitSeconds(error) ?? kind.retryAfterSeconds;
  return {
    type: `urn:problem-type:holdfast:${code}`,
    title: kind.title,
    status: kind.status,
    detail: error instanceof PaymentInputError ? messageOf(error) : kind.detail,
    code,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

function isListed(code: string): code is PaymentsErrorCode {
  return Object.hasOwn(problems, code);
}

/** As the service asked for; its answer may be the cause. */
function askedToWaitSeconds(error: Error): number | undefined {
  for (let cause: unknown = error; cause instanceof Error; { cause } = cause)
    if (cause instanceof ServiceError && cause.details.retryAfterMs !== undefined)
      return Math.ceil(cause.details.retryAfterMs / 1_000);
  return undefined;
}
