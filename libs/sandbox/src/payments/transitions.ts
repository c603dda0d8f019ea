import { randomUUID } from 'node:crypto';
import { digits } from '../common/digits.js';
import { UNCHOSEN_TERM_MS, type MethodRules } from '../methods/methods.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import { discounted } from '../receipts/discounted.js';
import { rulesOf } from '../stores/store.js';
import type { Cancellation } from '../wire/cancellation.js';
import type { CreateRequest, HowPaid, Payment } from './payment.js';

type Origin = Pick<Payment, 'sequence' | 'store' | 'createdBy' | 'createKey' | 'createdAt'>;

export function created(request: CreateRequest, origin: Origin): Payment {
  return {
    ...request,
    ...origin,
    id: randomUUID(),
    status: 'pending',
    refundedMinor: 0,
    methodFixed: request.method !== null,
    methodSaved: request.savedMethodId !== null,
    authorization: null,
    lastFailure: null,
    receiptStatus: null,
    awaited: null,
    suspended: null,
    confirmationToken: `ct-${randomUUID()}`,
    cancellation: null,
    capturedAt: null,
    holdExpiresAt: null,
  };
}

/** The buyer paid: the money is received at once, or held. */
export function confirmed(
  payment: Payment,
  method: PaymentMethod,
  { threeDSecureApplied, discountMinor, saves }: HowPaid,
  at: Date,
): Payment {
  const rules = rulesOf(payment.store, method.type);
  const amountMinor = payment.amountMinor - discountMinor;
  const authorized: Payment = {
    ...payment,
    amountMinor,
    method,
    receipt: payment.receipt && discounted(payment.receipt, amountMinor),
    awaited: null,
    suspended: null,
    methodSaved: payment.methodSaved || isToBeSaved(payment, rules, saves),
    authorization:
      rules.authorized === 'none' ? null : { rrn: digits(12), authCode: digits(6), threeDSecureApplied },
    lastFailure: null,
  };
  if (payment.capture) return { ...authorized, status: 'succeeded', capturedAt: at };
  if (!rules.hold) throw new Error(`Payment ${payment.id} cannot be held by ${method.type}`);
  return {
    ...authorized,
    status: 'waiting_for_capture',
    holdExpiresAt: new Date(at.getTime() + rules.hold.lengthMs),
  };
}

/** When its term or hold runs out by itself; null: never. */
export function endsAt({
  status,
  store,
  method,
  amountMinor,
  createdAt,
  holdExpiresAt,
}: Payment): Date | null {
  if (status === 'waiting_for_capture') return holdExpiresAt;
  if (status !== 'pending') return null;
  const termMs = method ? rulesOf(store, method.type).termMs(amountMinor) : UNCHOSEN_TERM_MS;
  return termMs === null ? null : new Date(createdAt.getTime() + termMs);
}

function isToBeSaved({ saving, savedMethodId }: Payment, rules: MethodRules, saves: boolean): boolean {
  if (savedMethodId !== null) return false;
  return saving === 'wanted' || (saving === 'chosen' && saves && rules.saving === 'asked or chosen');
}

/** The rest of the hold, if there is one, goes back to the buyer. */
export function captured(payment: Payment, amountMinor: number, at: Date): Payment {
  return { ...payment, status: 'succeeded', amountMinor, capturedAt: at };
}

export function canceled(payment: Payment, cancellation: Cancellation): Payment {
  return { ...payment, status: 'canceled', cancellation };
}
