import { deal } from './objects/deal.js';
import { paymentMethod } from './objects/payment-method.js';
import { payment } from './objects/payment.js';
import { payout } from './objects/payout.js';
import { receipt } from './objects/receipt.js';
import { refund } from './objects/refund.js';
import { exact, keptFields, text, type AnswerShape } from './objects/shape.js';

const shapes = {
  payment,
  refund,
  receipt,
  payout,
  deal,
  payment_method: paymentMethod,
} as const satisfies Record<string, AnswerShape>;

const unknownShape = { id: exact, status: text };

type KeptType = keyof typeof shapes;

/**
 * The part of the service's object to keep: the fields that the interface names and, where it leaves them open, those assumed, with
 * no card number in any text of theirs. Card data in other fields, a security code above all, cannot be recognized; so unnamed
 * fields are not kept.
 */
export function keptOf(type: KeptType, object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return keptFields(shapes[type], object);
}

/** For an object of an unknown type: its id and its status. */
export function keptOfUnknown(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return keptFields(unknownShape, object);
}

export function isKeptType(type: string): type is KeptType {
  return Object.hasOwn(shapes, type);
}
