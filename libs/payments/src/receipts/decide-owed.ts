import type { PaymentStatus } from '../common/payment-status.js';
import type { RefundStatus } from '../common/refund-status.js';
import { isAttemptOf, latestOf, owedKeys } from './owed-keys.js';
import type { OwnReceiptStatus } from './own-receipt.js';

interface MovedPayment {
  readonly status: PaymentStatus;
  readonly authorizedMinor: number;
  readonly capturedMinor: number;
  /** null: nobody said what is on its receipt when it was requested. */
  readonly receiptDigest: string | null;
}

interface MovedRefund {
  readonly id: string;
  readonly status: RefundStatus;
  readonly amountMinor: number;
}

interface KnownReceipt {
  readonly id: string;
  readonly receiptKey: string;
  readonly status: OwnReceiptStatus;
  readonly amountMinor: number;
  readonly isRegistered: boolean;
}

/** What is to be done about a receipt, now that money has moved or has not. */
export type OwedStep<Known, Refund> =
  | { readonly kind: 'send'; readonly receipt: Known; readonly amountMinor: number }
  | { readonly kind: 'drop'; readonly receipt: Known }
  /** It failed, and nobody needs it any more. */
  | { readonly kind: 'close'; readonly receipt: Known }
  /** Returns what another one says: a new receipt. `refund`: it is of this refund; null: of the payment itself. */
  | { readonly kind: 'return'; readonly of: Known; readonly key: string; readonly refund: Refund | null }
  /** The money was moved elsewhere, and nobody has said what is on its receipt. */
  | { readonly kind: 'missing'; readonly refund: Refund | null };

/**
 * What the receipts of a payment need, by what has become of its money. Decided again whenever something has changed, so what
 * cannot be done yet is done then. A receipt is taken back once it is registered: before that it may still fail, and what was
 * never registered has nothing to be taken back.
 *
 * @param receipts of the payment, in the order of their creation
 */
export function decideOwed<Known extends KnownReceipt, Refund extends MovedRefund>(
  payment: MovedPayment,
  refunds: readonly Refund[],
  receipts: readonly Known[],
): OwedStep<Known, Refund>[] {
  const { status, authorizedMinor, capturedMinor } = payment;
  const income = latestOf(receipts, owedKeys.payment);
  const part = latestOf(receipts, owedKeys.capture);
  // The service takes no income of a hold that is gone: nothing was registered then, whatever a person has done about it.
  const wasTooLate = status === 'canceled' && income?.status === 'rejected';
  const mayTakeBack = income?.isRegistered && !wasTooLate && !latestOf(receipts, owedKeys.return);
  const takeBack = mayTakeBack
    ? [{ kind: 'return', of: income, key: owedKeys.return, refund: null } as const]
    : [];
  if (status === 'waiting_for_capture') return send(income, authorizedMinor);
  const hasFailed = income && ['rejected', 'canceled'].includes(income.status) && !income.isRegistered;
  const close =
    hasFailed && !isNeeded(payment, income.receiptKey) ? [{ kind: 'close', receipt: income } as const] : [];
  if (status === 'rejected' || status === 'canceled')
    return [...drop(income), ...close, ...drop(part), ...takeBack];
  if (status !== 'succeeded') return [];
  const isWhole = capturedMinor === authorizedMinor;
  const hasPart = part?.amountMinor === capturedMinor && part.status !== 'void';
  // What was said of the money that is paid.
  const base = isWhole ? income : hasPart ? part : undefined;
  // The database may have forgotten what was said.
  const isAsked = payment.receiptDigest !== null;
  const isMissing = isAsked && (isWhole ? income === undefined : !hasPart);
  return [
    ...(isWhole ? [...send(income, capturedMinor), ...drop(part)] : [...drop(income), ...close, ...takeBack]),
    ...(isWhole ? [] : hasPart ? send(part, capturedMinor) : drop(part)),
    ...(isMissing ? [{ kind: 'missing', refund: null } as const] : []),
    ...refunds.flatMap((refund): OwedStep<Known, Refund>[] => {
      const key = owedKeys.refund(refund.id);
      const own = latestOf(receipts, key);
      if (refund.status === 'canceled' || refund.status === 'rejected') return drop(own);
      if (refund.status !== 'succeeded') return [];
      const mayReturn = base === undefined || base.isRegistered;
      // The service gave back another sum than was requested, and nobody has said what is on a receipt of that.
      if (own?.status === 'owed' && own.amountMinor !== refund.amountMinor)
        return [...drop(own), { kind: 'missing', refund }];
      if (own) return mayReturn ? send(own, own.amountMinor) : [];
      if (!isAsked) return [];
      if (base === undefined || refund.amountMinor !== capturedMinor) return [{ kind: 'missing', refund }];
      return mayReturn ? [{ kind: 'return', of: base, key, refund }] : [];
    }),
  ];
}

/**
 * Whether anybody misses a receipt that was never registered: not the payment's, once its hold was let go or a part of it captured,
 * since it would only be taken back.
 */
export function isNeeded(
  { status, authorizedMinor, capturedMinor }: Omit<MovedPayment, 'receiptDigest'>,
  receiptKey: string,
): boolean {
  if (!isAttemptOf(owedKeys.payment, receiptKey)) return true;
  return status === 'succeeded' ? capturedMinor === authorizedMinor : status !== 'canceled';
}

function send<Known extends KnownReceipt>(receipt: Known | undefined, amountMinor: number) {
  return receipt?.status === 'owed' ? [{ kind: 'send', receipt, amountMinor } as const] : [];
}

function drop<Known extends KnownReceipt>(receipt: Known | undefined) {
  return receipt?.status === 'owed' ? [{ kind: 'drop', receipt } as const] : [];
}
