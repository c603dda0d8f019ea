import { ControlError } from '../control/control-error.js';
import { knownFields, oneOf } from '../control/input.js';
import type { CancellationParty, MethodType } from '../wire-names.js';
import { withinCardLimits } from './create-request.js';
import type { Payment, PaymentMethod } from './payment.js';
import type { PaymentBook } from './payment-book.js';
import { cardOf, testCards } from './test-cards.js';

/** What a buyer does, without a browser. */
export interface BuyerAction {
  /** `decline` ends in `canceled` at once; `abandon` changes nothing, the payment term runs out by itself. */
  readonly outcome: 'succeed' | 'decline' | 'abandon';
  /** Default: the method the merchant named, else `bank_card`. */
  readonly method?: MethodType;
  /** Why it is declined. Default: `general_decline`. */
  readonly reason?: string;
}

/** Does it, and returns the payment as it is then; throws a ControlError (400, 404, 409). */
export function act(book: PaymentBook, id: string, input: unknown): Payment {
  const { outcome, method, reason } = parseAction(input);
  const payment = book.find(id);
  if (!payment) throw new ControlError(404, `No payment ${id}`);
  if (payment.status !== 'pending')
    throw new ControlError(409, `Payment ${id} is ${payment.status}, not pending`);
  if (outcome === 'abandon') return payment;
  if (outcome === 'decline') return book.decline(id, partyBehind(reason), reason);
  return book.confirm(id, usableMethod(payment, method ?? payment.method?.type ?? 'bank_card'));
}

/** A lapse of the service's own is the service's doing; all other reasons come from the payment network. */
function partyBehind(reason: string): CancellationParty {
  return ['expired_on_confirmation', 'internal_timeout'].includes(reason) ? 'service' : 'payment_network';
}

function parseAction(input: unknown): {
  outcome: BuyerAction['outcome'];
  method: MethodType | null;
  reason: string;
} {
  const given = knownFields(input, ['outcome', 'method', 'reason']);
  const { method, reason = 'general_decline' } = given;
  if (typeof reason !== 'string' || !/^[a-z0-9_]+$/.test(reason)) {
    throw new ControlError(400, 'reason must be a name such as insufficient_funds');
  }
  return {
    outcome: oneOf<BuyerAction['outcome']>(given['outcome'], 'outcome', ['succeed', 'decline', 'abandon']),
    method: method === undefined ? null : oneOf<MethodType>(method, 'method', ['bank_card', 'wallet']),
    reason,
  };
}

function usableMethod(payment: Payment, type: MethodType): PaymentMethod {
  if (payment.methodFixed && payment.method?.type !== type) {
    throw new ControlError(409, `Payment ${payment.id} can be paid by ${payment.method?.type} only`);
  }
  if (type === 'wallet') return { type, card: null };
  if (!withinCardLimits(payment.amountMinor)) {
    throw new ControlError(409, `Payment ${payment.id} is outside the limits of a bank card`);
  }
  const card = cardOf(testCards[0], { expiryMonth: '12', expiryYear: '2099' });
  return { type, card };
}
