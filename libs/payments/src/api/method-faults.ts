import { valueFromMinor } from '../common/money.js';
import type { ConfirmationType, MethodRules } from './method-rules.js';

/** A create, as far as its method decides whether it can be made. */
export interface MethodUse {
  readonly amountMinor: number;
  /** false: a hold. */
  readonly capture: boolean;
  /** true: the method is to be saved. */
  readonly save: boolean;
  /** null: it names none. */
  readonly confirmation: ConfirmationType | null;
  /** The method's own fields that are given, by the service's names. */
  readonly fields: readonly string[];
}

/** The part of a create that breaks a rule, and the rule in words that follow its name. */
export interface MethodFault {
  readonly of: 'amount' | 'capture' | 'save' | 'confirmation' | { readonly field: string };
  readonly rule: string;
}

/** The first rule of its method that a create breaks; null: none. */
export function methodFault(rules: MethodRules, use: MethodUse): MethodFault | null {
  return (
    amountFault(rules, use) ??
    captureFault(rules, use) ??
    savingFault(rules, use) ??
    confirmationFault(rules, use) ??
    fieldFault(rules, use)
  );
}

function amountFault(
  { title, minMinor, maxMinor }: MethodRules,
  { amountMinor }: MethodUse,
): MethodFault | null {
  if (amountMinor >= minMinor && amountMinor <= maxMinor) return null;
  const range = `${valueFromMinor(minMinor)} to ${valueFromMinor(maxMinor)}`;
  return { of: 'amount', rule: `must be ${range} roubles by ${title}` };
}

function captureFault({ title, hold }: MethodRules, { capture }: MethodUse): MethodFault | null {
  return capture || hold ? null : { of: 'capture', rule: `${title} has no hold: pass capture: true` };
}

function savingFault({ title, saving }: MethodRules, { save }: MethodUse): MethodFault | null {
  return save && saving === 'none'
    ? { of: 'save', rule: `must be left out: ${title} cannot be saved` }
    : null;
}

function confirmationFault(
  { title, confirmations }: MethodRules,
  { confirmation }: MethodUse,
): MethodFault | null {
  if (confirmation === null || confirmations.includes(confirmation)) return null;
  return { of: 'confirmation', rule: `its type must be ${anyOf(confirmations)} by ${title}` };
}

function fieldFault({ title, fields }: MethodRules, use: MethodUse): MethodFault | null {
  for (const name of use.fields)
    if (!Object.hasOwn(fields, name))
      return { of: { field: name }, rule: `must be left out: ${title} takes none` };
  for (const [name, need] of Object.entries(fields)) {
    const isRequired = need === 'required' || (need === 'with external' && use.confirmation === 'external');
    if (isRequired && !use.fields.includes(name))
      return {
        of: { field: name },
        rule: `is required by ${title}${need === 'with external' ? ' with an external confirmation' : ''}`,
      };
  }
  return null;
}

/** `redirect`, `redirect or qr`, `redirect, external or qr`. */
export function anyOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last;
}
