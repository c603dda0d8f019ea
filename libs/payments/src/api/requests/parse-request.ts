import { isRecord } from '../../common/is-record.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import { faultsOf, type Shape } from '../../common/validation.js';
import { isInherited, isSendable, mustBePlain } from './not-plain.js';
import { pathOf } from './path-of.js';

/**
 * Validates a caller's argument against a shape of this folder, before anything is stored or sent, and returns a copy of it that
 * nobody else can change. Fields the shape does not have are refused: a typing error must not count as an omitted field.
 * @throws PaymentInputError naming the field by its path, e.g. `airline.legs[1].departure_date`, and the rule; never the value,
 * which may be a card number
 */
export function parseRequest<T extends object>(shape: Shape<T>, input: unknown): T {
  if (!isRecord(input)) throw new PaymentInputError('the input', 'must be an object');
  const copy = copyOf(input);
  mustFit(shape, copy, input);
  return copy;
}

function mustFit<T extends object>(
  shape: Shape<T>,
  copy: Record<string, unknown>,
  input: object,
): asserts copy is T & Record<string, unknown> {
  const [fault] = faultsOf(shape, copy);
  if (!fault) return;
  const { path, message, meant } = fault;
  const rule = isInherited(input, path)
    ? 'must be a field of the object itself: what its class or prototype has is not sent'
    : (message ?? `is not a field of this input${meant === undefined ? '' : `: ${meant} is meant`}`);
  throw new PaymentInputError(path.reduce(pathOf, ''), rule);
}

/** As it would be sent: with every `toJSON` applied, and without what is undefined. */
function copyOf(input: object): Record<string, unknown> {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(input, asSent));
  } catch (error) {
    if (error instanceof PaymentInputError) throw error;
    mustBePlain(input);
    throw new PaymentInputError('the input', 'must be plain data, which JSON can express');
  }
  if (!isRecord(copy)) throw new PaymentInputError('the input', 'must be an object');
  return copy;
}

function asSent(key: string, value: unknown): unknown {
  // When an object is copied name by name, these would change what it is.
  if (key === '__proto__' || key === 'constructor')
    throw new PaymentInputError(key, 'cannot be the name of a field');
  // JSON would leave it out, and an optional field would count as omitted.
  if (!isSendable(value)) throw new TypeError('is not sent');
  return value;
}
