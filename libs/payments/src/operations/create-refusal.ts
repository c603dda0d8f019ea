import {
  OperationInProgressError,
  OrderAlreadyPaidError,
  OrderAmountExceededError,
  OrderPaymentOpenError,
  OrderPaymentsExceededError,
  OrderTotalDiffersError,
  type PaymentsError,
} from '../common/payments.errors.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import type { CreateDecision } from './create-decision.js';

/** A decision by which the order gets no payment, neither a new one nor an old one again. */
type CreateRefusal = Extract<
  CreateDecision,
  { readonly kind: 'charging' | 'paid' | 'exceeded' | 'open-elsewhere' | 'total-differs' | 'too-many' }
>;

/** What its caller learns of such a decision. */
export function refusalOfCreate(
  { orderReference, totalDueMinor }: Pick<CreateIntent, 'orderReference' | 'totalDueMinor'>,
  decision: CreateRefusal,
): PaymentsError {
  const { kind } = decision;
  if (kind === 'charging') return new OperationInProgressError(decision.paymentId, 'replace', 'charge');
  if (kind === 'paid') return new OrderAlreadyPaidError(orderReference, decision.paymentId, decision.status);
  if (kind === 'open-elsewhere') {
    const { paymentId, differs } = decision.open;
    return new OrderPaymentOpenError(orderReference, paymentId, differs);
  }
  if (kind === 'total-differs')
    return new OrderTotalDiffersError(orderReference, decision.totalDueMinor, totalDueMinor);
  if (kind === 'too-many') return new OrderPaymentsExceededError(orderReference, decision.openPaymentId);
  const { claimedMinor, open } = decision;
  const { paymentId = null, differs = [] } = open ?? {};
  return new OrderAmountExceededError(orderReference, claimedMinor, totalDueMinor, paymentId, differs);
}
