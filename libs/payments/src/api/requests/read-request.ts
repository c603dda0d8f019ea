import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { PaymentInputError } from '../../payments.errors.js';
import { isRecord } from '../service-errors.js';

/**
 * Validates what a caller passed against a shape of this folder, before anything is stored or sent, and returns a
 * copy of it that nobody else can change. Fields the shape does not have are refused: a typing error must not pass
 * for a field left out.
 * @throws PaymentInputError naming the field by its path, e.g. `airline.legs[1].departure_date`, and the rule; never
 * the value, which may be a card number
 */
export function readRequest<T extends object>(shape: ClassConstructor<T>, input: unknown): T {
  const copy = copyOf(input);
  mustFit(shape, copy);
  return copy;
}

function mustFit<T extends object>(shape: ClassConstructor<T>, value: unknown): asserts value is T {
  const errors = validateSync(plainToInstance(shape, value), {
    whitelist: true,
    forbidNonWhitelisted: true,
    validationError: { target: false, value: false },
  });
  const [error] = errors;
  if (error) throw inputError(error);
}

/** As it would stand on the wire: what JSON cannot say is gone, and what has a `toJSON` has said it. */
function copyOf(input: unknown): unknown {
  if (!isRecord(input)) throw new PaymentInputError('the input', 'must be an object');
  try {
    return JSON.parse(JSON.stringify(input), withoutMagicNames);
  } catch (error) {
    if (error instanceof PaymentInputError) throw error;
    throw new PaymentInputError('the input', 'must be plain data: no cycles, no bigint');
  }
}

/** class-transformer leaves these names out, so that no rule would see what they hold. */
function withoutMagicNames(key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor')
    throw new PaymentInputError(key, 'cannot be the name of a field');
  return value;
}

function inputError({ property, children, constraints }: ValidationError, parent = ''): PaymentInputError {
  const path = pathOf(parent, property);
  const [rule] = Object.entries(constraints ?? {});
  const [child] = children ?? [];
  if (!rule && child) return inputError(child, path);
  const [name, message] = rule ?? ['', 'is invalid'];
  return new PaymentInputError(
    path,
    name === 'whitelistValidation' ? 'is not a field of this input' : message,
  );
}

function pathOf(parent: string, name: string): string {
  if (parent !== '' && /^\d{1,3}$/.test(name)) return `${parent}[${name}]`;
  // A name that no shape has may be anything, a card number too.
  const shown = /^[a-z_][\w.]{0,39}$/i.test(name) ? name : '?';
  return parent === '' ? shown : `${parent}.${shown}`;
}
