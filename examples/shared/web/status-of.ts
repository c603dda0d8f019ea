import { DatabaseDeadlineError, PaymentsError, problemOf } from '@holdfast/payments';
import { HttpException, HttpStatus } from '@nestjs/common';

/** The HTTP status of a page that says what went wrong. */
export function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof PaymentsError || error instanceof DatabaseDeadlineError)
    return problemOf(error).status;
  return HttpStatus.INTERNAL_SERVER_ERROR;
}
