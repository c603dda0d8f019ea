import type { Fields } from '../common/fields.js';
import type { CardSource, MethodType } from '../wire/names.js';
import type { Article } from './articles.js';

/** What is stored of a card: never its whole number, never its CSC. */
export interface Card {
  readonly first6: string;
  readonly last4: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
  readonly cardType: string;
  /** null, like the issuer, for a card of a bank application. */
  readonly product: { readonly code: string; readonly name: string } | null;
  readonly issuerCountry: string | null;
  readonly issuerName: string | null;
  /** null if the card was typed. */
  readonly source: CardSource | null;
}

export interface PaymentMethod {
  readonly type: MethodType;
  /** null where none is shown, and for a card until it has been typed. */
  readonly card: Card | null;
  /** What else an answer shows of it, as the wire has it. */
  readonly details: Fields;
  /** What may be bought with a certificate; nothing of it is shown before it has paid. */
  readonly articles?: readonly Article[];
}
