import type { StoredConfirmation } from '../api/objects/confirmation.js';
import { isOpen, type PaymentStatus } from '../common/payment-status.js';
import { discountOf } from '../payment/discount.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import { receiptDigest } from '../receipts/receipt-digest.js';

/** What the decision needs to know about an existing payment of the order. */
export interface ExistingPayment {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly amountMinor: number;
  readonly authorizedMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly currency: string;
  readonly capture: boolean;
  readonly method: string | null;
  readonly paymentMethodId: string | null;
  readonly cardData: boolean;
  readonly receiptDigest: string | null;
  /** null: nothing for the buyer to confirm, as far as we know. */
  readonly confirmation: Pick<StoredConfirmation, 'type'> | null;
  readonly part: string;
  readonly intentKey: string;
  readonly supersededAt: Date | null;
}

export type CreateDecision<Existing extends ExistingPayment = ExistingPayment> =
  /** Open a new payment, after superseding these. */
  | { readonly kind: 'open'; readonly supersede: readonly Existing[] }
  /** The same payment again: re-read it first, so that no dead link is given out. */
  | { readonly kind: 'same'; readonly paymentId: string }
  /** The same payment, whose create is not answered yet: wait for it, then resume it. */
  | { readonly kind: 'resume'; readonly paymentId: string }
  /** Another one that may have taken money without the buyer's confirmation: it cannot be replaced before that is known. */
  | { readonly kind: 'settle-first'; readonly paymentId: string }
  /** Likewise, and the service is still at it. */
  | { readonly kind: 'charging'; readonly paymentId: string }
  | {
      readonly kind: 'paid';
      readonly paymentId: string;
      readonly status: 'waiting_for_capture' | 'succeeded';
    }
  | { readonly kind: 'exceeded'; readonly claimedMinor: number; readonly openPaymentId: string | null }
  | { readonly kind: 'open-elsewhere'; readonly openPaymentId: string }
  /** As many were replaced as may be open at once. */
  | { readonly kind: 'too-many'; readonly openPaymentId: string };

/** Replaced payments of an order that may still be paid: each is polled until its term is over. */
const MOST_REPLACED = 20;

/**
 * Decides what another create for an order means. Two tabs, a double click, a changed cart and an order already paid all pass
 * through here, one after the other, under the order's lock.
 */
export function decideCreate<Existing extends ExistingPayment>(
  intent: CreateIntent,
  payments: readonly Existing[],
): CreateDecision<Existing> {
  const current = payments.filter((payment) => payment.supersededAt === null);
  const same = current.find(
    (payment) => isSameIntent(intent, payment) && isAlive(payment) && !isAbandoned(intent, payment),
  );
  if (same) {
    if (same.status === 'submitting') return { kind: 'resume', paymentId: same.id };
    if (same.status === 'waiting_for_capture' || same.status === 'succeeded') {
      return { kind: 'paid', paymentId: same.id, status: same.status };
    }
    return { kind: 'same', paymentId: same.id };
  }
  const supersede = intent.replace
    ? current.filter(
        ({ status, part }) => part === intent.part && (isOpen(status) || status === 'waiting_for_capture'),
      )
    : [];
  const undecided = supersede.find((payment) => payment.status === 'submitting' && chargesAtOnce(payment));
  if (undecided) return { kind: 'settle-first', paymentId: undecided.id };
  const charging = supersede.find(isCharging);
  if (charging) return { kind: 'charging', paymentId: charging.id };
  const kept = current.filter((payment) => !supersede.includes(payment));
  // A superseded payment that was paid after all, or whose hold is not yet released, still claims its money.
  const old = payments.filter((payment) => payment.supersededAt !== null && !isOpen(payment.status));
  const claimedMinor = [...kept, ...old].reduce((sum, payment) => sum + claimed(payment), 0);
  const open = kept.find(({ status, part }) => isOpen(status) && part === intent.part);
  if (claimedMinor + intent.amountMinor > intent.totalDueMinor) {
    return { kind: 'exceeded', claimedMinor, openPaymentId: open?.id ?? null };
  }
  if (open) return { kind: 'open-elsewhere', openPaymentId: open.id };
  const [replaced] = supersede;
  const given = payments.filter(({ supersededAt, status }) => supersededAt !== null && isOpen(status));
  if (replaced && given.length >= MOST_REPLACED) return { kind: 'too-many', openPaymentId: replaced.id };
  return { kind: 'open', supersede };
}

function isSameIntent(intent: CreateIntent, payment: ExistingPayment): boolean {
  return (
    payment.part === intent.part &&
    payment.amountMinor === intent.amountMinor &&
    payment.currency === intent.currency &&
    payment.capture === intent.capture &&
    payment.method === intent.method &&
    payment.paymentMethodId === intent.paymentMethodId &&
    payment.cardData === intent.cardData &&
    isSameReceipt(intent, payment) &&
    (!isOpen(payment.status) || isSameConfirmation(intent, payment))
  );
}

/**
 * Other goods, or another address, are another payment. What is paid is paid all the same, and a hold gives way to them where it
 * may be replaced.
 */
function isSameReceipt(
  { receipt, replace }: CreateIntent,
  { intentKey, status, receiptDigest: known }: ExistingPayment,
): boolean {
  const counts = isOpen(status) || (replace && status === 'waiting_for_capture');
  return !counts || known === (receipt && receiptDigest(receipt, intentKey));
}

/** A QR code is of no use to who asked for a page; but where nothing is left to confirm it makes no difference. */
function isSameConfirmation(
  { confirmation: asked }: CreateIntent,
  { confirmation: known }: ExistingPayment,
): boolean {
  return asked === null || known === null || asked.type === known.type;
}

/** Whether its create alone can take money, with nothing left for the buyer to confirm. */
export function chargesAtOnce({
  paymentMethodId,
  cardData,
}: Pick<ExistingPayment, 'paymentMethodId' | 'cardData'>): boolean {
  return paymentMethodId !== null || cardData;
}

/**
 * Another card, or another phone, may have been entered this time: with `replace`, a payment that waits for the first is given up.
 */
function isAbandoned(intent: CreateIntent, payment: ExistingPayment): boolean {
  const isEntered = intent.cardData || intent.methodData !== null;
  return isEntered && intent.replace && payment.status === 'pending' && !isCharging(payment);
}

/** Accepted and on its way, and nobody can still decide not to pay. */
function isCharging(payment: ExistingPayment): boolean {
  return payment.status === 'pending' && chargesAtOnce(payment) && payment.confirmation === null;
}

/** Still able to bring money, or keeping some. A canceled, rejected or fully refunded payment leaves the order free. */
function isAlive(payment: ExistingPayment): boolean {
  return isOpen(payment.status) || claimed(payment) > 0;
}

function claimed(payment: ExistingPayment): number {
  if (isOpen(payment.status)) return payment.amountMinor;
  const discountMinor = discountOf(payment);
  if (payment.status === 'waiting_for_capture') return payment.authorizedMinor + discountMinor;
  return payment.capturedMinor - payment.refundedMinor + discountMinor;
}
