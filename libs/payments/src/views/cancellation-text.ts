import type { cancellationReasons, refundCancellationReasons } from '../api/objects/cancellation-details.js';

const payments: Readonly<Record<(typeof cancellationReasons)[number], string>> = {
  '3d_secure_failed': 'the bank could not confirm who pays',
  call_issuer: 'the bank refused and wants to be asked',
  canceled_by_merchant: 'you canceled the hold',
  card_expired: 'the card is out of date',
  country_forbidden: 'cards of that country are not taken',
  deal_expired: 'the deal of a secure deal ran out of time',
  expired_on_capture: 'the hold ran out before you captured it',
  expired_on_confirmation: 'nobody confirmed the payment in time',
  fraud_suspected: 'the payment looked like fraud',
  general_decline: 'no reason given',
  identification_required: "the wallet's owner is not identified",
  insufficient_funds: 'not enough money',
  internal_timeout: 'the service was too slow',
  invalid_card_number: 'the number was wrong',
  invalid_csc: 'the security code was wrong',
  issuer_unavailable: 'the bank did not answer',
  loan_declined: 'the bank gave no credit',
  payment_method_limit_exceeded: 'a limit of card or wallet, or of your contract',
  payment_method_restricted: 'such payments are switched off for the card',
  permission_revoked: 'the buyer withdrew the permission for automatic payments',
  rejected_by_timeout: 'it was not processed in time',
  unsupported_mobile_operator: "the phone's operator takes no payments",
};

const refunds: Readonly<Record<(typeof refundCancellationReasons)[number], string>> = {
  general_decline: 'no reason given',
  insufficient_funds: 'the store has not earned as much today, or owes the service',
  payment_article_number_not_found: "a certificate's payment has no such article",
  payment_basket_id_not_found: "a certificate's payment has no such basket",
  payment_expired: 'the card was charged too long ago for its bank',
  payment_tru_code_not_found: "a certificate's payment has no article of that code",
  rejected_by_payee: "the buyer's bank or wallet does not take the money",
  rejected_by_timeout: 'it was not processed in time',
  some_articles_already_refunded: 'some of the articles went back already',
  too_many_refunding_articles: 'more pieces than were paid for',
  yoo_money_account_closed: "the buyer's wallet is closed",
};

/**
 * What happened, for your staff, by the reason why the service canceled a payment; null: a reason that is not known here.
 * @example cancellationText('call_issuer'); // the bank refused and wants to be asked
 */
export function cancellationText(reason: string): string | null {
  return textOf(payments, reason);
}

/** Likewise a refund. */
export function refundCancellationText(reason: string): string | null {
  return textOf(refunds, reason);
}

function textOf(texts: Readonly<Record<string, string>>, reason: string): string | null {
  return Object.hasOwn(texts, reason) ? (texts[reason] ?? null) : null;
}
