import type { OpenEnum, OpenObject } from './open.js';

/** Who canceled a payment, refund or payout, and why (assumed: the interface does not show it). */
export interface CancellationDetailsObject extends OpenObject {
  /** `service`: the service itself, whatever it calls itself on the wire. */
  readonly party?: OpenEnum<'merchant' | 'payment_network' | 'service'>;
  readonly reason?: OpenEnum<
    | '3d_secure_failed'
    | 'call_issuer'
    | 'canceled_by_merchant'
    | 'card_expired'
    | 'country_forbidden'
    | 'deal_expired'
    | 'expired_on_capture'
    | 'expired_on_confirmation'
    | 'fraud_suspected'
    | 'general_decline'
    | 'identification_required'
    | 'insufficient_funds'
    | 'internal_timeout'
    | 'invalid_card_number'
    | 'invalid_csc'
    | 'issuer_unavailable'
    | 'loan_declined'
    | 'payment_method_limit_exceeded'
    | 'payment_method_restricted'
    | 'permission_revoked'
    | 'rejected_by_timeout'
    | 'unsupported_mobile_operator'
  >;
}
