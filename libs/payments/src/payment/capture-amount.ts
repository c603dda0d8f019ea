import { partFault } from '../api/capture-fault.js';
import type { ServiceProfile } from '../api/service-profile.js';
import { isRecord } from '../common/is-record.js';
import { parseAmount, type Amount } from '../common/money.js';
import { PaymentInputError } from '../common/payments.errors.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { rulesOf } from './paid-by.js';

/**
 * How much a capture takes, in minor units: more than nothing, at most the hold, and what its method allows.
 * @throws PaymentInputError
 */
export function captureAmount(
  payment: Pick<
    PaymentsPaymentEntity,
    'status' | 'currency' | 'authorizedMinor' | 'method' | 'paymentMethodId' | 'object'
  >,
  amount: Amount<string>,
  profile: Pick<ServiceProfile, 'methods'>,
): number {
  // A JavaScript caller's null must not capture the whole hold.
  if (!isRecord(amount))
    throw new PaymentInputError('amount', 'must be { value, currency }, or left out for the whole hold');
  const amountMinor = parseAmount(amount);
  if (amount.currency !== payment.currency)
    throw new PaymentInputError('amount.currency', `must be ${payment.currency}`);
  if (amountMinor === 0)
    throw new PaymentInputError('amount.value', 'must be above zero; to take nothing, cancel');
  if (payment.status !== 'waiting_for_capture') return amountMinor;
  const { authorizedMinor: heldMinor, paymentMethodId } = payment;
  if (amountMinor > heldMinor) throw new PaymentInputError('amount.value', 'must be at most the held amount');
  const rules = rulesOf(profile, payment);
  const fault = rules && partFault(rules, { amountMinor, heldMinor, saved: paymentMethodId !== null });
  if (fault) throw new PaymentInputError('amount', fault);
  return amountMinor;
}
