import { randomInt, randomUUID } from 'node:crypto';
import type { MethodType } from '../wire-names.js';
import type { Cancellation, CreateRequest, Payment, PaymentMethod } from './payment.js';

const HOUR_MS = 60 * 60 * 1000;

/** A payment nobody confirmed is canceled after this long. */
export const PAYMENT_TERM_MS = HOUR_MS;

/** How long money stays held (assumed for all but the bank card). */
const HOLDS_MS: Readonly<Record<MethodType, number>> = {
  bank_card: 7 * 24 * HOUR_MS,
  wallet: 7 * 24 * HOUR_MS,
  wallet_pay: 6 * HOUR_MS,
  bank_app_pay: 6 * HOUR_MS,
};

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
    cancellation: null,
    capturedAt: null,
    holdExpiresAt: null,
  };
}

/** The buyer paid: the money is received at once, or held. */
export function confirmed(
  payment: Payment,
  method: PaymentMethod,
  { threeDSecureApplied }: { readonly threeDSecureApplied: boolean },
  at: Date,
): Payment {
  const authorized: Payment = {
    ...payment,
    method,
    awaited: null,
    methodSaved: payment.methodSaved || payment.savedMethodWanted,
    // Only a card has an authorization, whether shown or inside a cryptogram; a wallet has none.
    authorization:
      method.type === 'wallet' ? null : { rrn: digits(12), authCode: digits(6), threeDSecureApplied },
    lastFailure: null,
  };
  return payment.capture
    ? { ...authorized, status: 'succeeded', capturedAt: at }
    : {
        ...authorized,
        status: 'waiting_for_capture',
        holdExpiresAt: new Date(at.getTime() + HOLDS_MS[method.type]),
      };
}

/** The rest of the hold, if there is one, goes back to the buyer. */
export function captured(payment: Payment, amountMinor: number, at: Date): Payment {
  return { ...payment, status: 'succeeded', amountMinor, capturedAt: at };
}

export function canceled(payment: Payment, cancellation: Cancellation): Payment {
  return { ...payment, status: 'canceled', cancellation };
}

/** A number like those that card networks give to operations. */
export function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}
