import type { StoredConfirmation } from '../api/objects/confirmation.js';
import type { HoldPolicy } from '../common/hold-policy.js';
import { isOpen, type PaymentStatus } from '../common/payment-status.js';
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
import type { OrderSums, PastOfOrder } from '../payment/order-totals.js';
import { waivedOf } from '../payment/waived.js';
import { receiptDigest } from '../receipts/receipt-digest.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';

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
  readonly savePaymentMethod: boolean;
  readonly holdPolicy: HoldPolicy | null;
  readonly keepsDue: boolean;
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
  | { readonly kind: 'exceeded'; readonly claimedMinor: number; readonly open: OpenElsewhere | null }
  | { readonly kind: 'open-elsewhere'; readonly open: OpenElsewhere }
  /** More or less is due than when the order was paid, which a call of its own says. */
  | { readonly kind: 'total-differs'; readonly totalDueMinor: number }
  /** As many were replaced as may be open at once. */
  | { readonly kind: 'too-many'; readonly openPaymentId: string };

/** The open payment of the same part, which another create opened. */
export interface OpenElsewhere {
  readonly paymentId: string;
  /** What that create said otherwise, in the words of the input. */
  readonly differs: readonly string[];
}

/** What is known of the order itself. */
export type OrderDue = PastOfOrder & OrderSums & Pick<PaymentsOrderEntity, 'totalDueMinor'>;

/** Replaced payments of an order that may still be paid: each is polled until its term is over. */
const MOST_REPLACED = 20;

/**
 * Decides what another create for an order means. Two tabs, a double click, a changed cart and an order already paid all pass
 * through here, one after the other, under the order's lock.
 * @param payments those that are open or held, and one that was paid of the same intent, if there is any: what the others claim is in
 * the order's sums
 */
export function decideCreate<Existing extends ExistingPayment>(
  intent: CreateIntent,
  order: OrderDue,
  payments: readonly Existing[],
): CreateDecision<Existing> {
  const current = payments.filter((payment) => payment.supersededAt === null);
  const isDueOtherwise = intent.totalDueMinor !== order.totalDueMinor;
  const differs = { kind: 'total-differs', totalDueMinor: order.totalDueMinor } as const;
  const same = current.find(
    (payment) => isSameIntent(intent, payment) && isAlive(payment) && !isAbandoned(intent, payment),
  );
  if (same) {
    if (isDueOtherwise && order.wasPaid) return differs;
    const claimedMinor = claimedOf(order, payments);
    if (intent.totalDueMinor < order.totalDueMinor && claimedMinor > intent.totalDueMinor)
      return { kind: 'exceeded', claimedMinor, open: null };
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
  const kept = payments.filter((payment) => !supersede.includes(payment));
  const claimedMinor = claimedOf(order, payments, supersede);
  const open = openElsewhere(
    intent,
    kept.find(
      ({ status, part, supersededAt }) => isOpen(status) && part === intent.part && supersededAt === null,
    ),
  );
  if (claimedMinor + intent.amountMinor > intent.totalDueMinor) {
    return { kind: 'exceeded', claimedMinor, open };
  }
  if (open) return { kind: 'open-elsewhere', open };
  if (isDueOtherwise && order.wasPaid) return differs;
  const [replaced] = supersede;
  const given = payments.filter(({ supersededAt, status }) => supersededAt !== null && isOpen(status));
  if (replaced && given.length >= MOST_REPLACED) return { kind: 'too-many', openPaymentId: replaced.id };
  return { kind: 'open', supersede };
}

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

/** Whether the create finds a payment that is there: what is due for the order is then what the create says. */
export function isFound<Decision extends { readonly kind: CreateDecision['kind'] }>(
  decision: Decision,
): decision is Extract<Decision, { readonly kind: 'same' | 'resume' | 'paid' }> {
  return decision.kind === 'same' || decision.kind === 'resume' || decision.kind === 'paid';
}

function isSameIntent(intent: CreateIntent, payment: ExistingPayment): boolean {
  return payment.part === intent.part && differencesOf(intent, payment).length === 0;
}

/** What is another payment if the create says it otherwise: each field by its name in the input. */
function differencesOf(intent: CreateIntent, payment: ExistingPayment): string[] {
  const fields = {
    amount: payment.amountMinor === intent.amountMinor && payment.currency === intent.currency,
    capture: payment.capture === intent.capture,
    method: payment.method === intent.method,
    paymentMethodId: payment.paymentMethodId === intent.paymentMethodId,
    'card data': payment.cardData === intent.cardData,
    savePaymentMethod:
      !areTermsOpen(intent, payment) || payment.savePaymentMethod === intent.savePaymentMethod,
    holdPolicy: !areTermsOpen(intent, payment) || payment.holdPolicy === intent.holdPolicy,
    receipt: !areTermsOpen(intent, payment) || isSameReceipt(intent, payment),
    confirmation: !isOpen(payment.status) || isSameConfirmation(intent, payment),
  };
  return Object.entries(fields).flatMap(([name, isSame]) => (isSame ? [] : [name]));
}

function openElsewhere(intent: CreateIntent, open: ExistingPayment | undefined): OpenElsewhere | null {
  return open ? { paymentId: open.id, differs: differencesOf(intent, open) } : null;
}

/** What is paid is paid all the same, and a hold gives way to other terms where it may be replaced. */
function areTermsOpen({ replace }: CreateIntent, { status }: ExistingPayment): boolean {
  return isOpen(status) || (replace && status === 'waiting_for_capture');
}

/** Other goods, or another address, are another payment. */
function isSameReceipt(
  { receipt }: CreateIntent,
  { intentKey, receiptDigest: known }: ExistingPayment,
): boolean {
  return known === (receipt && receiptDigest(receipt, intentKey));
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

/**
 * What the order's payments claim of it, but for these. A superseded one that was paid after all, or whose hold is not yet released, still
 * claims its money.
 */
export function claimedOf(
  { paidMinor, refundedMinor, heldMinor, waivedMinor }: OrderSums & Pick<PastOfOrder, 'waivedMinor'>,
  payments: readonly ExistingPayment[],
  without: readonly ExistingPayment[] = [],
): number {
  const sum = (some: readonly ExistingPayment[]) => some.reduce((total, one) => total + claimed(one), 0);
  const open = payments.filter(({ status, supersededAt }) => isOpen(status) && supersededAt === null);
  return paidMinor - refundedMinor + heldMinor + waivedMinor + sum(open) - sum(without);
}

/** What of the order's total a payment takes, or keeps. */
export function claimed(payment: ExistingPayment): number {
  if (isOpen(payment.status)) return payment.amountMinor;
  const waivedMinor = waivedOf(payment);
  if (payment.status === 'waiting_for_capture') return payment.authorizedMinor + waivedMinor;
  return payment.capturedMinor - payment.refundedMinor + waivedMinor;
}
