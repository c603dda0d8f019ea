import type { Fields } from '../common/fields.js';
import type { Store } from '../stores/store.js';
import type { ReceiptItem } from './receipt-item.js';

export type ReceiptStatus = 'pending' | 'succeeded' | 'canceled';

/** `payment`: income; `refund`: income returned. */
export type ReceiptType = 'payment' | 'refund';

/** What the register says of a receipt it has taken. */
export interface Registration {
  readonly documentNumber: string;
  readonly storageNumber: string;
  readonly attribute: string;
  readonly providerId: string;
  readonly at: Date;
}

/** One receipt as the sandbox knows it; a change makes a new object. */
export interface Receipt {
  readonly id: string;
  readonly store: Store;
  /** 1 for the first receipt of this sandbox: the order of the list and its cursor. */
  readonly sequence: number;
  readonly type: ReceiptType;
  readonly paymentId: string;
  /** null: of the payment itself. */
  readonly refundId: string | null;
  readonly status: ReceiptStatus;
  readonly items: readonly ReceiptItem[];
  readonly settlements: readonly { readonly type: string; readonly amountMinor: number }[];
  readonly rest: Fields;
  /** It came with the payment or refund itself, so that its status is that one's `receipt_registration`. */
  readonly isOwn: boolean;
  readonly registration: Registration | null;
  readonly requestKey: string | null;
  readonly createdAt: Date;
}
