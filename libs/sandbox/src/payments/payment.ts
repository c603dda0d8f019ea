import type { CancellationParty, MethodType } from '../wire-names.js';

export type PaymentStatus = 'pending' | 'waiting_for_capture' | 'succeeded' | 'canceled';

/** What is kept of a card: never its whole number, never its CSC. */
export interface Card {
  readonly first6: string;
  readonly last4: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cardType: string;
}

export interface PaymentMethod {
  readonly type: MethodType;
  /** null for a wallet, and for a card until the buyer has typed it. */
  readonly card: Card | null;
}

export interface Authorization {
  readonly rrn: string;
  readonly authCode: string;
}

export interface Cancellation {
  readonly party: CancellationParty;
  readonly reason: string;
}

export interface CreateRequest {
  readonly amountMinor: number;
  /** true: money is received at once; false: held until captured. */
  readonly capture: boolean;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly returnUrl: string;
  /** null: the buyer picks on the payment page. */
  readonly methodType: MethodType | null;
}

/** One payment as the sandbox knows it; a change makes a new object, so an old one is a true snapshot. */
export interface Payment {
  readonly id: string;
  /** 1 for the first payment of this sandbox: the order of the list and its cursor. */
  readonly sequence: number;
  readonly status: PaymentStatus;
  /** What was asked for; after a partial capture, what was captured. */
  readonly amountMinor: number;
  readonly capture: boolean;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly returnUrl: string;
  readonly method: PaymentMethod | null;
  /** True where the merchant named the method, so that the buyer cannot pick another. */
  readonly methodFixed: boolean;
  readonly authorization: Authorization | null;
  /** Why the buyer's last try on the payment page failed. */
  readonly lastFailure: string | null;
  readonly cancellation: Cancellation | null;
  readonly createKey: string;
  readonly createdAt: Date;
  readonly capturedAt: Date | null;
  readonly holdExpiresAt: Date | null;
}
