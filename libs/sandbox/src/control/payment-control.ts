import type { SandboxClock } from '../clock/clock.js';
import { ControlError } from '../common/control-error.js';
import { knownFields, oneOf, reasonName, trueOrFalse } from '../common/input.js';
import { loanDetails, parseLoan, thinkingTimeMs, type Loan } from '../methods/loans.js';
import { isWithin } from '../methods/methods.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import { cardInCardApp, defaultCard } from '../methods/test-cards.js';
import type { Airline } from '../payments/airline.js';
import type { PaymentBook } from '../payments/payment-book.js';
import type { WirePayment } from '../payments/payment-view.js';
import { merchantSentCard, type Payment } from '../payments/payment.js';
import { endsAt } from '../payments/transitions.js';
import { usedMethod } from '../payments/used-method.js';
import { offerFor } from '../payments/ways.js';
import { rulesOf } from '../stores/store.js';
import { partyBehind } from '../wire/cancellation.js';
import { methodsOf, type CardSource, type MethodType, type WireNames } from '../wire/names.js';

const outcomes = ['succeed', 'decline', 'abandon', 'suspend'] as const;

/** The actions of a buyer, without a browser. */
export interface BuyerAction {
  /**
   * `decline` ends in `canceled` at once; `abandon` changes nothing, the payment term runs out by itself. `suspend`: a SberBank
   * credit above 50,000 roubles is granted, and pays once the time that the law gives to think it over is up.
   */
  readonly outcome: (typeof outcomes)[number];
  /**
   * `bank_card`, `wallet`, `bank_app_pay`, or one of those that the public service alone has, such as `sbp`; if the store has
   * it. Default: the method the merchant named, else `bank_card`. Required 3-D Secure is passed.
   */
  readonly method?: MethodType;
  /** The card comes from the card-network mobile payment app, if the store has it. */
  readonly source?: CardSource;
  /** Why it is declined. Default: `general_decline`. */
  readonly reason?: string;
  /** Has the card or wallet saved, where the merchant leaves that to the buyer. Default: false. */
  readonly save?: boolean;
  /** What SberBank grants: `loan`, or `installments_6` for six months. Default: `loan`. */
  readonly loan?: string;
  /** What instalments lower the amount by, `"150.00"` roubles. Default: nothing. */
  readonly discount?: string;
}

/** What a person or a test can do with payments, without the REST API. */
export interface PaymentControl {
  /** The actions of the buyer. Returns after the change, not after its notification. Throws ControlError (400, 404, 409). */
  pay(id: string, action: BuyerAction): WirePayment;
  /** The payment as a re-read would show it, without a trace in the ledger. Throws ControlError 404. */
  get(id: string): WirePayment;
  /** Newest first. */
  list(): WirePayment[];
  /** The trip of the creation or the capture, which no answer shows. Throws ControlError 404. */
  airline(id: string): Airline | null;
  /** When its term or hold runs out by itself; null: never, or not any more. Throws ControlError 404. */
  endsAt(id: string): Date | null;
}

export function paymentControl(
  payments: PaymentBook,
  view: (payment: Payment) => WirePayment,
  clock: SandboxClock,
): PaymentControl {
  return {
    pay: (id, action) => view(act(payments, payments.get(id), action, clock.now())),
    get: (id) => view(payments.get(id)),
    list: () => payments.newestFirst().map(view),
    airline: (id) => payments.get(id).airline,
    endsAt: (id) => endsAt(payments.get(id)),
  };
}

/** Acts, and returns the payment as it is then; throws a ControlError (400, 409). */
function act(book: PaymentBook, payment: Payment, input: unknown, now: Date): Payment {
  const { id } = payment;
  const { outcome, reason, saves, ...action } = parseAction(input, payment.store.names);
  mustBeOpen(payment);
  if (outcome === 'abandon') return payment;
  if (outcome === 'decline') return book.decline(id, partyBehind(reason), reason);

  const type = action.method ?? payment.method?.type ?? 'bank_card';
  mustBeOffered(payment, type, action.source);
  if (type === 'sber_loan') return borrow(book, payment, action.loan, outcome === 'suspend' ? now : null);
  if (outcome === 'suspend') throw new ControlError(409, `Only sber_loan is suspended, not ${type}`);
  const isByCard = type === 'bank_card' || merchantSentCard(payment);
  const threeDSecureApplied = isByCard && (payment.enforce3ds || merchantSentCard(payment));
  const card = isByCard ? cardOf(payment, action.source) : null;
  return book.confirm(id, usedMethod(payment, type, card), { threeDSecureApplied, saves });
}

function parseAction(input: unknown, names: WireNames) {
  const given = knownFields(input, ['outcome', 'method', 'source', 'reason', 'save', 'loan', 'discount']);
  const { method, source, reason = 'general_decline', save = false } = given;
  return {
    outcome: oneOf<BuyerAction['outcome']>(given['outcome'], 'outcome', outcomes),
    method: method === undefined ? null : oneOf<MethodType>(method, 'method', methodsOf(names)),
    source: source === undefined ? null : oneOf<CardSource>(source, 'source', ['card_app_pay']),
    reason: reasonName(reason),
    saves: trueOrFalse(save, 'save'),
    loan: parseLoan(given),
  };
}

/** Throws a ControlError 409 for a payment that no buyer can do anything about any more. */
function mustBeOpen({ id, status, awaited, suspended }: Payment): void {
  if (status !== 'pending') throw new ControlError(409, `Payment ${id} is ${status}, not pending`);
  if (awaited) throw new ControlError(409, `Payment ${id} is paid and waits for its receipt`);
  if (suspended) throw new ControlError(409, `Payment ${id} has its credit and waits for it`);
}

/** Throws a ControlError 409 if the payment page does not offer this. */
function mustBeOffered(payment: Payment, type: MethodType, source: CardSource | null): void {
  // A buyer without a browser has the device that the action needs.
  const offer = offerFor(payment, true);
  if (!offer.ways.some((way) => way === type)) {
    throw new ControlError(409, `Payment ${payment.id} can be paid by ${offer.ways.join(', ')} only`);
  }
  if (source !== null && !(offer.cardApp && type === 'bank_card')) {
    throw new ControlError(409, `Payment ${payment.id} cannot be paid through ${source}`);
  }
  if (!isWithin(rulesOf(payment.store, type), payment.amountMinor)) {
    throw new ControlError(409, `Payment ${payment.id} is outside the limits of ${type}`);
  }
}

function cardOf({ method }: Payment, source: CardSource | null): PaymentMethod['card'] {
  return method?.card ?? (source === null ? defaultCard : cardInCardApp);
}

/** `suspendedAt`: the bank grants the credit then, and pays later; null: it pays at once. */
function borrow(book: PaymentBook, payment: Payment, loan: Loan, suspendedAt: Date | null): Payment {
  const { discountMinor } = loan;
  if (discountMinor >= payment.amountMinor)
    throw new ControlError(409, `Payment ${payment.id} is not above the discount`);
  const method = usedMethod(payment, 'sber_loan', null, loanDetails(loan));
  if (!suspendedAt) return book.confirm(payment.id, method, { discountMinor });
  const timeMs = thinkingTimeMs(payment.amountMinor);
  if (timeMs === null) throw new ControlError(409, 'A credit of at most 50000.00 is not suspended');
  const until = new Date(suspendedAt.getTime() + timeMs);
  return book.suspend(payment.id, method, until, { discountMinor });
}
