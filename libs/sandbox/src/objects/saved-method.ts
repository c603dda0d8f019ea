import type { ConfirmationRequest, WireConfirmation } from '../methods/confirmation.js';
import { methodView, type WireMethod } from '../methods/method-view.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import type { Maker } from '../partnership/apps.js';
import type { WirePayment } from '../payments/payment-view.js';
import { recipient, type Store } from '../stores/store.js';

/** `pending`: the buyer has not confirmed yet; `inactive`: they refused, or withdrew the permission. */
type SavedMethodStatus = 'pending' | 'active' | 'inactive';

/** What a shop's own request for a method says, without a payment. */
export interface BindingRequest extends ConfirmationRequest {
  readonly metadata: Readonly<Record<string, string>>;
}

/** A payment method that pays again without the buyer. */
export interface SavedMethod {
  readonly id: string;
  readonly store: Store;
  readonly method: PaymentMethod;
  readonly status: SavedMethodStatus;
  /** null: it was saved by a payment, or by hand. */
  readonly request: BindingRequest | null;
  readonly createdBy: Maker;
  readonly createdAt: Date;
}

/** A saved payment method in an answer (assumed: the interface leaves it open). */
export interface WireSavedMethod extends WireMethod {
  readonly status: SavedMethodStatus;
  readonly holder: WirePayment['recipient'];
  readonly confirmation?: WireConfirmation;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** `url`: the sandbox's own address. */
export function savedMethodView(saved: SavedMethod, url: string): WireSavedMethod {
  const { id, store, method, status, request } = saved;
  return {
    ...methodView(method, { id, saved: status === 'active', status }, store.names),
    status,
    holder: recipient(store),
    ...(request && status === 'pending' && { confirmation: confirmationOf(request, `${url}/binding/${id}`) }),
    ...(request && Object.keys(request.metadata).length > 0 && { metadata: request.metadata }),
  };
}

function confirmationOf({ confirmation, returnUrl }: BindingRequest, page: string): WireConfirmation {
  const back = returnUrl === null ? {} : { return_url: returnUrl };
  return confirmation === 'qr'
    ? { type: 'qr', ...back, confirmation_data: `${page}/bank` }
    : { type: 'redirect', ...back, confirmation_url: page };
}
