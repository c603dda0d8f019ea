import { isRecord } from '../common/is-record.js';
import { parseAmount, type Amount } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import type { PaymentEntity } from '../schema/payment.entity.js';

/**
 * How much a capture takes, in minor units: more than nothing and at most the hold.
 * @throws PaymentInputError
 */
export function captureAmount(
  payment: Pick<PaymentEntity, 'status' | 'currency' | 'authorizedMinor'>,
  amount: Amount,
): number {
  // A JavaScript caller's null must not capture the whole hold.
  if (!isRecord(amount))
    throw new PaymentInputError('amount', 'must be { value, currency }, or left out for the whole hold');
  const amountMinor = parseAmount(amount);
  if (amount.currency !== payment.currency)
    throw new PaymentInputError('amount.currency', `must be ${payment.currency}`);
  if (amountMinor === 0)
    throw new PaymentInputError('amount.value', 'must be above zero; to take nothing, cancel');
  if (payment.status === 'waiting_for_capture' && amountMinor > payment.authorizedMinor) {
    throw new PaymentInputError('amount.value', 'must be at most the held amount');
  }
  return amountMinor;
}
