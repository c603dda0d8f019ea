import { methodOf } from '../api/method-of.js';
import type { MethodRules } from '../api/method-rules.js';
import { textOrNull } from '../api/objects/fields.js';
import type { ServiceProfile } from '../api/service-profile.js';
import { isRecord } from '../common/is-record.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';

/**
 * The rules of the method that a payment is paid by: as the service last said, since the buyer may have chosen it there, else as
 * it was requested. null: nobody knows yet, or this library does not know the method.
 */
export function rulesOf(
  profile: Pick<ServiceProfile, 'methods'>,
  { method, object }: Pick<PaymentsPaymentEntity, 'method' | 'object'>,
): MethodRules | null {
  const chosen = isRecord(object) ? object['payment_method'] : null;
  const type = isRecord(chosen) ? textOrNull(chosen['type']) : null;
  return methodOf(profile, type ?? method);
}
