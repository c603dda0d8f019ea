import type { OpenObject } from './open.js';
import { word, type AnswerOf } from './shape.js';

/** Why a payment or payout was canceled (assumed: the interface does not show it). */
export const cancellationReasons = [
  '3d_secure_failed',
  'call_issuer',
  'canceled_by_merchant',
  'card_expired',
  'country_forbidden',
  'deal_expired',
  'expired_on_capture',
  'expired_on_confirmation',
  'fraud_suspected',
  'general_decline',
  'identification_required',
  'insufficient_funds',
  'internal_timeout',
  'invalid_card_number',
  'invalid_csc',
  'issuer_unavailable',
  'loan_declined',
  'payment_method_limit_exceeded',
  'payment_method_restricted',
  'permission_revoked',
  'rejected_by_timeout',
  'unsupported_mobile_operator',
] as const;

/** Likewise a refund. */
export const refundCancellationReasons = [
  'general_decline',
  'insufficient_funds',
  'payment_article_number_not_found',
  'payment_basket_id_not_found',
  'payment_expired',
  'payment_tru_code_not_found',
  'rejected_by_payee',
  'rejected_by_timeout',
  'some_articles_already_refunded',
  'too_many_refunding_articles',
  'yoo_money_account_closed',
] as const;

/** Who canceled a payment, refund or payout, and why (assumed: the interface does not show it). */
export const cancellationDetails = {
  /** `service`: the service itself, whatever it calls itself on the wire. */
  party: word<'merchant' | 'payment_network' | 'refund_network' | 'service'>(),
  reason: word<(typeof cancellationReasons)[number] | (typeof refundCancellationReasons)[number]>(),
} as const;

/** Who canceled a payment, refund or payout, and why (assumed: the interface does not show it). */
export interface CancellationDetailsObject extends AnswerOf<typeof cancellationDetails>, OpenObject {}
