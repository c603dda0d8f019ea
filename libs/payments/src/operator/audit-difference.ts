import type { ServicePayment } from '../api/service-payment.js';
import { formatAmount, type Amount } from '../common/money.js';
import { markedAnother } from '../payment/payment-mark.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { fieldsThatDiffer, type Audited } from './compare.js';

/** One side's account. Of a payment's receipts together: here its money, there what they say of it. */
export interface AuditedSide {
  /** Of receipts together: `canceled` if a register refused one that nobody has taken care of. */
  readonly status: string;
  readonly amount: Amount<string>;
  readonly refunded: Amount<string>;
}

/** A disagreement between our rows and the service's list, read twice. */
export interface AuditDifference {
  readonly kind: 'missing_here' | 'missing_there' | 'different';
  /** `receipt`: one that was sent by itself; `receipts`: all of a payment and its refunds, which do not add up to its money. */
  readonly object: 'payment' | 'refund' | 'receipt' | 'receipts';
  /** The service's id; with `receipts` their payment's. */
  readonly serviceId: string;
  /** Our payment; null if there is none, and none is named by the metadata. */
  readonly paymentId: string | null;
  readonly here: AuditedSide | null;
  readonly there: AuditedSide | null;
  /**
   * With `different`: what differs, `mark` where the service's payment is another one than the row says; with `receipts`, those of the payment
   * itself (`amount`), of its refunds (`refunded`), or both.
   */
  readonly fields: readonly string[];
}

/** One side's view of one of the service's ids. */
export interface AuditRecord {
  readonly serviceId: string;
  /** Our payment; null if none is named. */
  readonly paymentId: string | null;
  readonly audited: Audited;
  /** Of a payment there, whose mark may name one of ours. */
  readonly metadata?: ServicePayment['metadata'];
  /** The mark itself. */
  readonly mark?: unknown;
  /** Of a payment here: whose mark that has to be. */
  readonly marked?: Pick<PaymentsPaymentEntity, 'storeId' | 'intentKey'>;
}

/** null: both sides agree, or neither has it. */
export function differenceOf(
  object: AuditDifference['object'],
  here: AuditRecord | undefined,
  there: AuditRecord | undefined,
): AuditDifference | null {
  const either = here ?? there;
  const fields: string[] = here && there ? fieldsThatDiffer(here.audited, there.audited) : [];
  // Two rows of one sum whose ids were swapped differ in nothing else.
  if (here?.marked && there && markedAnother(here.marked, there.mark) !== null) fields.push('mark');
  if (!either || (here && there && fields.length === 0)) return null;
  return {
    kind: here ? (there ? 'different' : 'missing_there') : 'missing_here',
    object,
    serviceId: either.serviceId,
    paymentId: here?.paymentId ?? there?.paymentId ?? null,
    here: here ? sideOf(here.audited) : null,
    there: there ? sideOf(there.audited) : null,
    fields: fields.map((field) => field.replace(/Minor$/, '')),
  };
}

export function sideOf({ status, amountMinor, refundedMinor, currency }: Audited): AuditedSide {
  return {
    status,
    amount: formatAmount(amountMinor, currency),
    refunded: formatAmount(refundedMinor, currency),
  };
}
