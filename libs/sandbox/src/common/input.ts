import { ControlError } from './control-error.js';
import type { Fields } from './fields.js';
import { parseMinor } from './money.js';

/** Reads a JSON object with only the known fields; a typing error must not pass silently. */
export function knownFields(input: unknown, known: readonly string[]): Fields {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ControlError(400, `Send a JSON object with ${known.join(', ')}`);
  }
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ControlError(400, `Unknown field ${unknown}; known: ${known.join(', ')}`);
  return { ...input };
}

export function oneOf<T extends string>(value: unknown, name: string, choices: readonly T[]): T {
  const choice = choices.find((known) => known === value);
  if (choice === undefined) throw new ControlError(400, `${name} must be one of ${choices.join(', ')}`);
  return choice;
}

export function trueOrFalse(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ControlError(400, `${name} must be true or false`);
}

export function wholeNumber(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ControlError(400, `${name} must be a whole number from ${least} to ${most}`);
}

/** Reads `"1234.50"` as minor units above zero. */
export function roublesMinor(value: unknown, name: string): number {
  const minor = parseMinor(value);
  if (minor) return minor;
  throw new ControlError(400, `${name} must be a text such as "1234.50", above zero`);
}

/** Reads the reason of a failure; a name of the service's own or any other. */
export function reasonName(value: unknown): string {
  if (typeof value === 'string' && /^[a-z0-9_]+$/.test(value)) return value;
  throw new ControlError(400, 'reason must be a name such as insufficient_funds');
}

/** Reads a text of this form. */
export function textLike(value: unknown, name: string, form: RegExp): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw new ControlError(400, `${name} must be a text like ${form.source}`);
}

/** Reads a text of this form, if the field is there. */
export function optionalText(given: Fields, name: string, form: RegExp): string | undefined {
  return given[name] === undefined ? undefined : textLike(given[name], name, form);
}

/** Reads a list of names, none twice. */
export function listOf<T extends string>(value: unknown, name: string, choices: readonly T[]): readonly T[] {
  if (!Array.isArray(value)) throw new ControlError(400, `${name} must be a list of ${choices.join(', ')}`);
  return [...new Set(value.map((item) => oneOf(item, name, choices)))];
}

/** Reads how something pending ends. */
export function endIn(outcome: unknown): 'succeeded' | 'canceled' {
  return oneOf(outcome, 'outcome', ['succeeded', 'canceled']);
}
