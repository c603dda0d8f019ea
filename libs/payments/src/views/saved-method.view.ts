import { keptOf } from '../api/kept-object.js';
import { parseConfirmation, type PaymentConfirmation } from '../api/objects/confirmation.js';
import { paymentMethod, type PaymentMethodObject } from '../api/objects/payment-method.js';
import { readFields } from '../api/objects/shape.js';
import { paymentMethodOf, type PaymentMethod } from './paid-with.js';

/** A method that is saved, or is to be. */
export interface SavedMethod extends PaymentMethod {
  /** Pass it as `paymentMethodId` to a later create, once it is `active`. */
  readonly id: string;
  /** `pending`: the buyer has yet to confirm; `active`: saved; `inactive`: not, or no longer. null: the service does not say. */
  readonly status: string | null;
  /** What the buyer has to do now; null: nothing. Whoever has it can act, so it belongs in no log. */
  readonly confirmation: PaymentConfirmation | null;
}

export function savedMethodView(object: PaymentMethodObject): SavedMethod {
  const { id, type, status, confirmation } = object;
  const said = readFields(paymentMethod, keptOf('payment_method', object));
  return {
    ...paymentMethodOf(said, type),
    id,
    status: said.status,
    confirmation: status === 'pending' ? parseConfirmation(confirmation) : null,
  };
}
