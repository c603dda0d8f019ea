import type { Payment } from '../payment/payment.view.js';

/** What is done with a hold before it ends: taken whole, let go, or left to a person. */
export const holdPolicies = ['capture', 'cancel', 'flag'] as const;
/** One of {@link holdPolicies}. */
export type HoldPolicy = (typeof holdPolicies)[number];

/** Chosen for each payment when its time has come; it may look anything up, and must answer within 10 s. */
export type ChooseHoldPolicy = (payment: Payment) => HoldPolicy | Promise<HoldPolicy>;

export function isHoldPolicy(value: unknown): value is HoldPolicy {
  return holdPolicies.some((policy) => policy === value);
}
