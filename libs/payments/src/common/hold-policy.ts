/** What happens to a hold before it ends: it is captured whole, canceled, or left to a person. */
export const holdPolicies = ['capture', 'cancel', 'flag'] as const;
/** One of {@link holdPolicies}. */
export type HoldPolicy = (typeof holdPolicies)[number];

export function isHoldPolicy(value: unknown): value is HoldPolicy {
  return holdPolicies.some((policy) => policy === value);
}
