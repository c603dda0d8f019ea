const texts: Readonly<Record<string, string>> = {
  '3d_secure_failed': 'The bank could not verify that it is you who pays.',
  call_issuer: 'The bank refused the payment: call the bank, or try another card.',
  card_expired: 'This card has expired.',
  country_forbidden: 'Cards of this country are not accepted.',
  fraud_suspected: 'The bank suspects fraud.',
  general_decline: 'The bank refused the payment without a reason.',
  identification_required: 'The owner has to be identified first.',
  insufficient_funds: 'There is not enough money.',
  internal_timeout: 'The payment took too long.',
  invalid_card_number: 'The card number is wrong.',
  invalid_csc: 'The CSC is wrong.',
  issuer_unavailable: 'The bank does not answer.',
  payment_method_limit_exceeded: 'This amount is beyond the limits of this way to pay.',
  payment_method_restricted: 'The bank allows no such payment with this card.',
  loan_declined: 'The bank grants no credit for this purchase.',
  permission_revoked: 'The owner has withdrawn the permission to pay.',
  unsupported_mobile_operator: 'This operator does not pay for purchases.',
};

/** The text for the reason of a failed try. */
export function failureText(reason: string): string {
  return `${texts[reason] ?? 'The payment failed.'} You can try again, or pay another way.`;
}
