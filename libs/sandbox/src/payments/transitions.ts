import { randomInt, randomUUID } from 'node:crypto';
import type { Cancellation, CreateRequest, Payment, PaymentMethod } from './payment.js';

/** A payment nobody confirmed is canceled after this long (section 1, item 8 of the service interface). */
export const PAYMENT_TERM_MS = 60 * 60 * 1000;

/** How long money stays held (section 8 of the service interface). */
export const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

export function created(
  request: CreateRequest,
  origin: Pick<Payment, 'sequence' | 'createKey' | 'createdAt'>,
): Payment {
  const { methodType, ...asked } = request;
  return {
    ...asked,
    ...origin,
    id: randomUUID(),
    status: 'pending',
    method: methodType && { type: methodType, card: null },
    methodFixed: methodType !== null,
    authorization: null,
    lastFailure: null,
    cancellation: null,
    capturedAt: null,
    holdExpiresAt: null,
  };
}

/** The buyer paid: the money is received at once, or held. */
export function confirmed(payment: Payment, method: PaymentMethod, at: Date): Payment {
  const authorized: Payment = {
    ...payment,
    method,
    authorization: method.card && { rrn: digits(12), authCode: digits(6) },
    lastFailure: null,
  };
  return payment.capture
    ? { ...authorized, status: 'succeeded', capturedAt: at }
    : { ...authorized, status: 'waiting_for_capture', holdExpiresAt: new Date(at.getTime() + HOLD_MS) };
}

/** The rest of the hold, where there is one, goes back to the buyer. */
export function captured(payment: Payment, amountMinor: number, at: Date): Payment {
  return { ...payment, status: 'succeeded', amountMinor, capturedAt: at };
}

export function canceled(payment: Payment, cancellation: Cancellation): Payment {
  return { ...payment, status: 'canceled', cancellation };
}

function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}
