import { methodView, recipient, type WireMethod, type WirePayment } from '../payments/payment-view.js';
import type { PaymentMethod } from '../payments/payment.js';
import type { Store } from '../store/store.js';

type SavedMethodStatus = 'active' | 'inactive';

/** A payment method that pays again without the buyer. */
export interface SavedMethod {
  readonly id: string;
  readonly store: Store;
  readonly method: PaymentMethod;
  /** inactive: the buyer withdrew the permission. */
  readonly status: SavedMethodStatus;
}

/** A saved payment method in an answer (assumed: the interface leaves it open). */
export interface WireSavedMethod extends WireMethod {
  readonly status: SavedMethodStatus;
  readonly holder: WirePayment['recipient'];
}

export function savedMethodView({ id, store, method, status }: SavedMethod): WireSavedMethod {
  return {
    ...methodView(method, { id, saved: status === 'active', status }, store.names),
    status,
    holder: recipient(store),
  };
}
