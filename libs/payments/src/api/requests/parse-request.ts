import { isRecord } from '../../common/is-record.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { faultsOf, type Fault, type Shape } from '../../common/validation.js';

/**
 * Validates a caller's argument against a shape of this folder, before anything is stored or sent, and returns a copy of it that
 * nobody else can change. Fields the shape does not have are refused: a typing error must not count as an omitted field.
 * @throws PaymentInputError naming the field by its path, e.g. `airline.legs[1].departure_date`, and the rule; never the value,
 * which may be a card number
 */
export function parseRequest<T extends object>(shape: Shape<T>, input: unknown): T {
  const copy = copyOf(input);
  mustFit(shape, copy);
  return copy;
}

function mustFit<T extends object>(
  shape: Shape<T>,
  value: Record<string, unknown>,
): asserts value is T & Record<string, unknown> {
  const [fault] = faultsOf(shape, value);
  if (fault) throw inputError(fault);
}

/** As it would be sent: without what JSON cannot express, and with every `toJSON` applied. */
function copyOf(input: unknown): Record<string, unknown> {
  if (!isRecord(input)) throw new PaymentInputError('the input', 'must be an object');
  let copy: unknown;
  try {
    const text = JSON.stringify(input);
    // A reviver takes longer than all the rest: only if there is something for it to find.
    const isSuspect = text.includes('"__proto__":') || text.includes('"constructor":');
    copy = isSuspect ? JSON.parse(text, withoutMagicNames) : JSON.parse(text);
  } catch (error) {
    if (error instanceof PaymentInputError) throw error;
    throw new PaymentInputError('the input', 'must be plain data: no cycles, no bigint');
  }
  if (!isRecord(copy)) throw new PaymentInputError('the input', 'must be an object');
  return copy;
}

/** When an object is copied name by name, these would change what it is. */
function withoutMagicNames(key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor')
    throw new PaymentInputError(key, 'cannot be the name of a field');
  return value;
}

function inputError({ path, message }: Fault): PaymentInputError {
  return new PaymentInputError(path.reduce(pathOf, ''), message ?? 'is not a field of this input');
}

/** The path of a field within this one. */
export function pathOf(parent: string, name: string): string {
  if (parent !== '' && /^\d{1,3}$/.test(name)) return `${parent}[${name}]`;
  // An unknown name may be anything, even a card number.
  const shown = /^[a-z_][\w.]{0,39}$/i.test(name) ? name : '?';
  return parent === '' ? shown : `${parent}.${shown}`;
}
