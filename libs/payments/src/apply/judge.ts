import type { ServicePayment } from '../api/service-payment.js';
import { valueFromMinor } from '../common/money.js';
import {
  canMove,
  isServiceStatus,
  type PaymentStatus,
  type ServiceStatus,
} from '../common/payment-status.js';
import { agreedMinor } from '../payment/discount.js';

/** What the object is compared with: the intent and what is known so far. */
export interface Expectation {
  readonly status: PaymentStatus;
  readonly serviceId: string | null;
  readonly amountMinor: number;
  /** What is held, or was. */
  readonly authorizedMinor: number;
  /** true: one-stage, so that nothing can be captured in part. */
  readonly capture: boolean;
  /** What is captured already; it never changes again. */
  readonly capturedMinor: number;
  /** Of a capture of ours that may have taken effect; null: there is none. */
  readonly askedMinor: number | null;
  readonly currency: string;
  readonly accountId: string;
  /** As configured by the store's identifier, or as the service first answered; null: it has not answered yet. */
  readonly test: boolean | null;
}

export type Verdict =
  /** A change of status that the table allows. */
  | { readonly kind: 'move'; readonly to: ServiceStatus }
  | { readonly kind: 'unchanged' }
  /** The answer is older than what we know: read again. */
  | { readonly kind: 'stale'; readonly status: ServiceStatus }
  /**
   * Not what we asked for, or nothing we understand: applied to nothing, raised to the operator. `inDoubt`: said in the
   * answer to a request, it is not even that before a re-read says the same.
   */
  | { readonly kind: 'anomaly'; readonly reason: string; readonly inDoubt?: true };

/** Checks a re-read object (or the answer to a POST, which is the same thing) against the intent and the status table. */
export function judge(expected: Expectation, object: ServicePayment): Verdict {
  const mismatch = findMismatch(expected, object);
  if (mismatch !== null) return { kind: 'anomaly', reason: mismatch };
  const { status } = object;
  if (!isServiceStatus(status)) return { kind: 'anomaly', reason: `unknown status ${status}` };
  if (status === expected.status) return { kind: 'unchanged' };
  if (canMove(expected.status, status))
    return status === 'succeeded' ? taken(expected, object) : { kind: 'move', to: status };
  if (expected.status === 'rejected' || (isSettled(expected.status) && isSettled(status))) {
    return { kind: 'anomaly', reason: `final status ${expected.status} contradicted by ${status}` };
  }
  return { kind: 'stale', status };
}

/** An answer may still name the sum that was held; a read that does so contradicts our request. */
function taken({ askedMinor }: Expectation, { amountMinor }: ServicePayment): Verdict {
  if (askedMinor === null || amountMinor === askedMinor) return { kind: 'move', to: 'succeeded' };
  const reason = `${valueFromMinor(amountMinor)} captured instead of the requested ${valueFromMinor(askedMinor)}`;
  return { kind: 'anomaly', reason, inDoubt: true };
}

function isSettled(status: PaymentStatus): boolean {
  return status === 'succeeded' || status === 'canceled';
}

function findMismatch(expected: Expectation, object: ServicePayment): string | null {
  if (expected.serviceId !== null && object.id !== expected.serviceId)
    return `id ${object.id} instead of ${expected.serviceId}`;
  if (object.currency !== expected.currency)
    return `currency ${object.currency} instead of ${expected.currency}`;
  if (object.accountId !== null && object.accountId !== expected.accountId) {
    return `store ${object.accountId} instead of ${expected.accountId}`;
  }
  if (object.test !== null && expected.test !== null && object.test !== expected.test)
    return `test ${object.test} instead of ${expected.test}`;
  if (!isSumOf(expected, object))
    return `amount of ${valueFromMinor(object.amountMinor)} instead of ${valueFromMinor(expected.amountMinor)}`;
  if (object.refundedMinor > object.amountMinor)
    return `${valueFromMinor(object.refundedMinor)} refunded of ${valueFromMinor(object.amountMinor)}`;
  return null;
}

/** The intent, less a credit's discount; once that is known, it stays. Only a hold can be captured in part. */
function isSumOf(expected: Expectation, object: ServicePayment): boolean {
  const { status, capture, amountMinor: intentMinor, authorizedMinor, capturedMinor } = expected;
  const { amountMinor } = object;
  const isHeld = status === 'waiting_for_capture';
  const wholeMinor = isHeld ? authorizedMinor : agreedMinor(intentMinor, object);
  if (object.status === 'succeeded' && status === 'succeeded') return amountMinor === capturedMinor;
  if (object.status === 'succeeded' && !capture) return amountMinor <= wholeMinor;
  if (amountMinor === wholeMinor) return true;
  return amountMinor === intentMinor && !(isHeld && object.status === status);
}
