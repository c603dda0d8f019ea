import type { CancellationParty } from '../wire-names.js';

/** Reasons that are the service's own doing; all others come from the payment network. */
const ofTheService: readonly string[] = [
  'country_forbidden',
  'expired_on_confirmation',
  'internal_timeout',
  'loan_declined',
  'unsupported_mobile_operator',
];

/** The party behind a payment that failed with this reason (assumed: the interface names no parties). */
export function partyBehind(reason: string): CancellationParty {
  return ofTheService.includes(reason) ? 'service' : 'payment_network';
}
