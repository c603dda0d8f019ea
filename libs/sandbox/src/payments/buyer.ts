import { offerFor } from '../checkout/ways.js';
import { ControlError } from '../control/control-error.js';
import { knownFields, oneOf, reasonName } from '../control/input.js';
import type { CardSource, MethodType } from '../wire-names.js';
import { partyBehind } from './cancellation-party.js';
import { withinCardLimits } from './create-request.js';
import type { PaymentBook } from './payment-book.js';
import { merchantSentCard, type Payment, type PaymentMethod } from './payment.js';
import { cardInBankApp, cardInCardApp, defaultCard } from './test-cards.js';

/** The actions of a buyer, without a browser. */
export interface BuyerAction {
  /** `decline` ends in `canceled` at once; `abandon` changes nothing, the payment term runs out by itself. */
  readonly outcome: 'succeed' | 'decline' | 'abandon';
  /**
   * `bank_card`, `wallet`, or `bank_app_pay` if the store has it. Default: the method the merchant named, else `bank_card`.
   * Required 3-D Secure is passed.
   */
  readonly method?: MethodType;
  /** The card comes from the card-network mobile payment app, if the store has it. */
  readonly source?: CardSource;
  /** Why it is declined. Default: `general_decline`. */
  readonly reason?: string;
}

/** Acts, and returns the payment as it is then; throws a ControlError (400, 404, 409). */
export function act(book: PaymentBook, id: string, input: unknown): Payment {
  const { outcome, method, source, reason } = parseAction(input);
  const payment = book.find(id);
  if (!payment) throw new ControlError(404, `No payment ${id}`);
  if (payment.status !== 'pending')
    throw new ControlError(409, `Payment ${id} is ${payment.status}, not pending`);
  if (payment.awaited) throw new ControlError(409, `Payment ${id} is paid and waits for its receipt`);
  if (outcome === 'abandon') return payment;
  if (outcome === 'decline') return book.decline(id, partyBehind(reason), reason);

  const type = method ?? payment.method?.type ?? 'bank_card';
  const used = usableMethod(payment, type, source);
  const threeDSecureApplied = type === 'bank_card' && (payment.enforce3ds || merchantSentCard(payment));
  return book.confirm(id, used, { threeDSecureApplied });
}

function parseAction(input: unknown) {
  const given = knownFields(input, ['outcome', 'method', 'source', 'reason']);
  const { method, source, reason = 'general_decline' } = given;
  return {
    outcome: oneOf<BuyerAction['outcome']>(given['outcome'], 'outcome', ['succeed', 'decline', 'abandon']),
    method:
      method === undefined
        ? null
        : oneOf<MethodType>(method, 'method', ['bank_card', 'wallet', 'bank_app_pay']),
    source: source === undefined ? null : oneOf<CardSource>(source, 'source', ['card_app_pay']),
    reason: reasonName(reason),
  };
}

/** The method as the buyer would use it on the payment page, or a ControlError 409 if the page does not offer it. */
function usableMethod(payment: Payment, type: MethodType, source: CardSource | null): PaymentMethod {
  // A buyer without a browser has the device that the action needs.
  const offer = offerFor(payment, true);
  if (!offer.ways.some((way) => way === type)) {
    throw new ControlError(409, `Payment ${payment.id} can be paid by ${offer.ways.join(', ')} only`);
  }
  if (source !== null && !(offer.cardApp && type === 'bank_card')) {
    throw new ControlError(409, `Payment ${payment.id} cannot be paid through ${source}`);
  }
  if (type === 'wallet') return { type, card: null };
  if (type === 'bank_app_pay') return { type, card: cardInBankApp };
  if (!withinCardLimits(payment.amountMinor)) {
    throw new ControlError(409, `Payment ${payment.id} is outside the limits of a bank card`);
  }
  return { type, card: payment.method?.card ?? (source === null ? defaultCard : cardInCardApp) };
}
