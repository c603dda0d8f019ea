import type { ConfirmationRequest } from '../methods/confirmation.js';
import type { PaymentMethod } from '../methods/payment-method.js';
import type { Maker } from '../partnership/apps.js';
import type { ReceiptData } from '../receipts/receipt-data.js';
import type { ReceiptStatus } from '../receipts/receipt.js';
import type { Store } from '../stores/store.js';
import type { Cancellation } from '../wire/cancellation.js';
import type { Airline } from './airline.js';
import type { Echoed } from './echoed.js';
import type { DealShare, Transfer } from './shares.js';

export type PaymentStatus = 'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled';

interface Authorization {
  readonly rrn: string;
  readonly authCode: string;
  readonly threeDSecureApplied: boolean;
}

/** What a payment is besides its method, once the buyer has paid. */
export interface HowPaid {
  readonly threeDSecureApplied: boolean;
  /** What an instalment lowers the amount by. */
  readonly discountMinor: number;
  /** The buyer wants the method saved. */
  readonly saves: boolean;
}

export interface CreateRequest extends ConfirmationRequest {
  readonly amountMinor: number;
  /** true: money is received at once; false: held until captured. */
  readonly capture: boolean;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** null: the buyer chooses on the payment page. Has a card if the merchant sent the card data, or saved it before. */
  readonly method: PaymentMethod | null;
  /** Save the method for later payments without the buyer; `chosen`: if the buyer wants it. */
  readonly saving: 'wanted' | 'chosen' | 'none';
  /** Pays by this saved method, without the buyer. */
  readonly savedMethodId: string | null;
  /** Of the one-time token of a form that it was paid by; null: there was none. */
  readonly tokenDigest: string | null;
  readonly echoed: Echoed;
  /** The gateway of the store that it goes through; null: the store's usual one. */
  readonly gatewayId: string | null;
  /** What of it goes to other stores; of a partial capture, of what was captured. */
  readonly transfers: readonly Transfer[];
  readonly deal: DealShare | null;
  /** It is a try to pay this invoice; null: it is not. */
  readonly invoiceId: string | null;
  readonly airline: Airline | null;
  /** What its receipt says; of a partial capture, what that one's says. null: it has none. */
  readonly receipt: ReceiptData | null;
}

/** One payment of the sandbox; a change makes a new object, so an old one is a true snapshot. */
export interface Payment extends CreateRequest {
  readonly id: string;
  readonly store: Store;
  /** 1 for the first payment of this sandbox: the order of the list and its cursor. */
  readonly sequence: number;
  readonly status: PaymentStatus;
  /** The requested amount; after a partial capture, the captured one. */
  readonly amountMinor: number;
  /** The sum of succeeded refunds, from the refund book. */
  readonly refundedMinor: number;
  /** True if the merchant named the method, so that the buyer cannot choose another. */
  readonly methodFixed: boolean;
  /** The method can be used again without the buyer. */
  readonly methodSaved: boolean;
  readonly authorization: Authorization | null;
  /** Why the buyer's last try on the payment page failed. */
  readonly lastFailure: string | null;
  /** What became of the receipt that went with it last; null: none did. */
  readonly receiptStatus: ReceiptStatus | null;
  /** The buyer has paid by `method`, and the money waits for this receipt to be registered. */
  readonly awaited: { readonly receiptId: string; readonly how: HowPaid } | null;
  /** The buyer has been granted a credit by `method`, and the law gives them until then to think it over. */
  readonly suspended: { readonly until: Date; readonly how: HowPaid } | null;
  /** The name of this payment for a page of the shop that shows the form in it. */
  readonly confirmationToken: string;
  readonly cancellation: Cancellation | null;
  readonly createdBy: Maker;
  readonly createKey: string;
  readonly createdAt: Date;
  readonly capturedAt: Date | null;
  readonly holdExpiresAt: Date | null;
}

/** True if the card data was entered on the merchant's side, so that only 3-D Secure is left to do. */
export function merchantSentCard({ method }: Payment): boolean {
  return method !== null && method.card !== null;
}

/** Whether the buyer can still do anything: what is paid or granted already only waits. */
export function isUndecided({ status, awaited, suspended }: Payment): boolean {
  return status === 'pending' && !awaited && !suspended;
}
