import type { SandboxClock } from '../clock/clock.js';
import { loanDetails, thinkingTimeMs, type Loan } from '../methods/loans.js';
import { isWithin } from '../methods/methods.js';
import type { Card, PaymentMethod } from '../methods/payment-method.js';
import { asks3ds, failureOf } from '../methods/test-cards.js';
import type { PaymentBook } from '../payments/payment-book.js';
import { merchantSentCard, type HowPaid, type Payment } from '../payments/payment.js';
import { usedMethod } from '../payments/used-method.js';
import type { Way } from '../payments/ways.js';
import { rulesOf } from '../stores/store.js';
import { partyBehind } from '../wire/cancellation.js';

/** The result of a try for the buyer. */
export type TryResult = 'finished' | 'needs 3-D Secure' | 'may try again';

/**
 * The buyer's tries to pay. Between the card form and the 3-D Secure page the card is kept here, as far as it may be kept at all;
 * if the merchant sent the card data, the payment itself has it.
 */
export class BuyerTries {
  readonly #awaiting3ds = new Map<string, { readonly card: Card; readonly saves: boolean }>();

  constructor(
    private readonly book: PaymentBook,
    private readonly clock: Pick<SandboxClock, 'now'>,
  ) {}

  /** On the payment page. Only the public service shows a method before it has paid (assumed). */
  choose({ id, methodFixed, store }: Payment, way: Way): void {
    if (store.names.isPublic && !methodFixed) this.book.choose(id, way);
  }

  /** By a card, typed or from the phone. Its bank or the merchant may require 3-D Secure first. */
  byCard(payment: Payment, card: Card, saves = false): TryResult {
    if (!isPossible(payment, 'bank_card')) return this.#fail(payment, 'payment_method_limit_exceeded');
    if (payment.enforce3ds || asks3ds(card)) {
      this.#awaiting3ds.set(payment.id, { card, saves });
      return 'needs 3-D Secure';
    }
    return this.#charge(payment, card, { saves });
  }

  /** By a method without further steps; `failure` is the reason it fails with. */
  byMethod(
    payment: Payment,
    method: PaymentMethod,
    failure: string | null,
    how: Partial<HowPaid> = {},
  ): TryResult {
    this.#awaiting3ds.delete(payment.id);
    if (!isPossible(payment, method.type)) return this.#fail(payment, 'payment_method_limit_exceeded');
    if (failure !== null) return this.#fail(payment, failure);
    this.book.confirm(payment.id, method, how);
    return 'finished';
  }

  /** By a credit that the bank grants; `thinks`: it is paid out once the time to think it over is up. */
  byLoan(payment: Payment, loan: Loan, thinks: boolean): TryResult {
    const method = usedMethod(payment, 'sber_loan', null, loanDetails(loan));
    const timeMs = thinks ? thinkingTimeMs(payment.amountMinor) : null;
    const { discountMinor } = loan;
    if (timeMs === null) return this.byMethod(payment, method, null, { discountMinor });
    this.book.suspend(payment.id, method, new Date(this.clock.now().getTime() + timeMs), { discountMinor });
    return 'finished';
  }

  /** The card that waits for 3-D Secure. */
  cardAwaiting3ds({ id, method }: Payment): Card | null {
    return method?.card ?? this.#awaiting3ds.get(id)?.card ?? null;
  }

  passed3ds(payment: Payment, card: Card): TryResult {
    const saves = this.#awaiting3ds.get(payment.id)?.saves ?? false;
    this.#awaiting3ds.delete(payment.id);
    return this.#charge(payment, card, { threeDSecureApplied: true, saves });
  }

  failed3ds(payment: Payment): TryResult {
    this.#awaiting3ds.delete(payment.id);
    return this.#fail(payment, '3d_secure_failed');
  }

  /** Ends the payment because the buyer refuses to pay. */
  giveUp({ id, lastFailure }: Payment): void {
    this.#awaiting3ds.delete(id);
    // Assumed: no reason is called a refusal. After a failed try that failure is the reason; without one no bank was involved and
    // no time has run out, which leaves a decline without details.
    if (lastFailure === null) this.book.decline(id, 'service', 'general_decline');
    else this.book.decline(id, partyBehind(lastFailure), lastFailure);
  }

  #charge(payment: Payment, card: Card, how: Partial<HowPaid>): TryResult {
    const failure = failureOf(card);
    if (failure !== null) return this.#fail(payment, failure);
    // A certificate's remainder is paid by a card too.
    const type = merchantSentCard(payment) ? payment.method?.type : undefined;
    this.book.confirm(payment.id, usedMethod(payment, type ?? 'bank_card', card), how);
    return 'finished';
  }

  #fail(payment: Payment, reason: string): TryResult {
    if (!merchantSentCard(payment)) {
      this.book.failTry(payment.id, reason);
      return 'may try again';
    }
    // There is no form to try again with: the card data was entered on the merchant's side.
    this.book.decline(payment.id, partyBehind(reason), reason);
    return 'finished';
  }
}

function isPossible({ store, amountMinor }: Payment, type: PaymentMethod['type']): boolean {
  return isWithin(rulesOf(store, type), amountMinor);
}
