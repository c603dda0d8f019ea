import type { CancellationParty, WireNames } from './names.js';

/** How a payment, refund or payout ended without success. */
export interface Cancellation {
  readonly party: CancellationParty;
  readonly reason: string;
}

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

/** The party and the reason of an end (assumed). */
export function cancellationView(
  { party, reason }: Cancellation,
  names: WireNames,
): { readonly party: string; readonly reason: string } {
  return { party: names.cancellationParties[party], reason };
}
