import { valueFromMinor } from '../common/money.js';
import type { MethodRules } from './method-rules.js';

/** Why this much of a hold cannot be captured, in words that follow `amount`; null: it can. */
export function partFault(
  { title, hold }: MethodRules,
  {
    amountMinor,
    heldMinor,
    saved,
  }: { readonly amountMinor: number; readonly heldMinor: number; readonly saved: boolean },
): string | null {
  if (hold === null || amountMinor === heldMinor) return null;
  const { partMinMinor, partIfSaved } = hold;
  if (partMinMinor === null) return `must be left out: a hold by ${title} is captured as a whole`;
  if (saved && !partIfSaved)
    return `must be left out: a hold by ${title} that was saved is captured as a whole`;
  return amountMinor < partMinMinor ? `must be at least ${valueFromMinor(partMinMinor)} by ${title}` : null;
}
