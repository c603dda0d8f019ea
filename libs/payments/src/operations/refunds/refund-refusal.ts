import {
  PaymentNotRefundableError,
  PaymentWhollyRefundedError,
  RefundAmountExceededError,
  RefundKeyReusedError,
  RefundWindowClosedError,
  type PaymentsError,
} from '../../common/payments.errors.js';
import type { RefundDecision, RefundRequest } from '../../payment/refunds/decide-refund.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';

/** What its caller learns of a decision by which nothing is refunded. `method`: as people call it; null: not known. */
export function refusalOfRefund(
  { id, status, capturedMinor }: Pick<PaymentsPaymentEntity, 'id' | 'status' | 'capturedMinor'>,
  { refundKey, amountMinor }: Pick<RefundRequest, 'refundKey' | 'amountMinor'>,
  decision: Exclude<RefundDecision, { kind: 'open' | 'same' }>,
  method: string | null,
): PaymentsError {
  if (decision.kind === 'key-reused') return new RefundKeyReusedError(id, refundKey);
  if (decision.kind === 'not-refundable') return new PaymentNotRefundableError(id, decision.status);
  if (decision.kind === 'method-not-refundable') return new PaymentNotRefundableError(id, status, method);
  if (decision.kind === 'too-old')
    return new RefundWindowClosedError(id, { method, windowMs: decision.windowMs });
  if (decision.kind === 'wholly-refunded') return new PaymentWhollyRefundedError(id);
  const { refundedMinor, inFlightMinor } = decision;
  return new RefundAmountExceededError(id, { amountMinor, capturedMinor, refundedMinor, inFlightMinor });
}
