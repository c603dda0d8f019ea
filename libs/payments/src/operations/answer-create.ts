import type { Cause } from '../common/cause.js';
import { AS_WRITTEN, type Change } from '../payment/change.js';
import { changeTo, draftOf } from '../payment/draft.js';
import type { CreateIntent } from '../payment/inputs/create-intent.js';
import type { KnownOrder } from '../payment/order-totals.js';
import type { MarkedTry } from '../payment/payment-mark.js';
import { NOTHING_READ, type OrderPayments } from '../payment/state.js';
import type { PaymentRow } from '../schema/rows.js';
import { decideCreate, isFound, type CreateDecision } from './create-decision.js';
import { openPayment, type Opening, type OpenTerms } from './open-payment.js';
import { isKeyReused } from './refused-operation.js';

type OpenDecision = Extract<CreateDecision<PaymentRow>, { readonly kind: 'open' }>;

/** The service has another payment under the key of one that was refused, and the database has forgotten it. */
interface ForgottenTry {
  readonly kind: 'forgotten';
  readonly marked: MarkedTry;
  /** When the service said so. */
  readonly since: Date;
}

/** What a create comes to. */
export type CreateAnswer =
  | Exclude<CreateDecision<PaymentRow>, OpenDecision>
  | (OpenDecision & { readonly opening: Opening })
  | ForgottenTry;

interface Answered {
  readonly answer: CreateAnswer;
  /** null: nothing is new. */
  readonly change: Change | null;
}

/**
 * What another create of a known order comes to, and what it changes: as much is due for the order as it says, whether it opens a payment or
 * finds one. `isSearched`: what the service has under a key that was refused was looked for, and is not this order's.
 */
export function answerCreate(
  state: OrderPayments,
  intent: CreateIntent,
  isSearched: boolean,
  terms: OpenTerms,
): Answered {
  const { order, payments } = state;
  const decision = decideCreate(intent, order, payments);
  if (decision.kind !== 'open') {
    const found = isFound(decision) ? payments.find(({ id }) => id === decision.paymentId) : undefined;
    const isDueAsSaid = found === undefined || order.totalDueMinor === intent.totalDueMinor;
    const change = isDueAsSaid ? null : totalChange(order, found, intent.totalDueMinor, 'create');
    return { answer: decision, change };
  }
  const forgotten = isSearched ? null : forgottenTry(state, intent);
  if (forgotten !== null) return { answer: forgotten, change: null };
  const opening = openPayment(state, intent, terms);
  return { answer: { ...decision, opening }, change: opening.change };
}

/** Another sum is due for an order; `payment`: the one that its events are of. */
export function totalChange(
  order: KnownOrder,
  payment: PaymentRow,
  totalDueMinor: number,
  cause: Extract<Cause, 'create' | 'total'>,
): Change {
  const state = { now: AS_WRITTEN, databaseNow: AS_WRITTEN, order, payment, ...NOTHING_READ };
  return changeTo({ ...draftOf(state), order: { ...order, totalDueMinor } }, state, cause);
}

/** One that came to nothing since its key was used for another, under whose try nothing is known here. */
export function forgottenTry(
  { tries, creates }: Pick<OrderPayments, 'tries' | 'creates'>,
  { orderReference, part }: Pick<CreateIntent, 'orderReference' | 'part'>,
): ForgottenTry | null {
  const made = new Set(tries.flatMap((one) => (one.serviceId === null ? [] : [one.tryNumber])));
  const unmade = tries.filter(({ status, tryNumber }) => status === 'rejected' && !made.has(tryNumber));
  const reused = creates.find(
    (create) => isKeyReused(create) && unmade.some(({ id }) => id === create.paymentId),
  );
  const payment = unmade.find(({ id }) => id === reused?.paymentId);
  if (!reused || !payment) return null;
  const { tryNumber } = payment;
  return { kind: 'forgotten', marked: { orderReference, part, tryNumber }, since: reused.recordedAt };
}
