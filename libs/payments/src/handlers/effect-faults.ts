import { PaymentInputError } from '../common/payments.errors.js';

/** Nothing would ever run the effect. */
export function unknownEffect(id: string): PaymentInputError {
  return new PaymentInputError(
    'id',
    `must be that of a method marked with @OnPaymentEffect, and no process of this application has registered '${id}'`,
  );
}

/** Which of the two is meant, nobody can tell. */
export function recordedOtherwise(id: string): PaymentInputError {
  return new PaymentInputError(
    'options.key',
    `must tell this effect from the one that was recorded as '${id}' with other data for the same event: give each a key of its own`,
  );
}
