import { isRecord } from '../../common/is-record.js';
import { isAppAddress, isWebAddress } from '../../common/text.js';
import type { ConfirmationType } from '../method-rules.js';
import { textOrNull } from './fields.js';
import type { OpenObject } from './open.js';
import { exact, word, type AnswerOf } from './shape.js';

/** How the buyer confirms the payment. */
export const confirmation = {
  type: word<ConfirmationType>(),
  /** Echo of the address sent. */
  return_url: exact,
  /** Send the buyer there: the payment page, the 3-D Secure page, or the bank's app. */
  confirmation_url: exact,
  /** For the service's widget (`embedded`). */
  confirmation_token: exact,
  /** To be drawn as a QR code (`qr`). */
  confirmation_data: exact,
} as const;

/** How the buyer confirms the payment. */
export interface ConfirmationObject extends AnswerOf<typeof confirmation>, OpenObject {}

/** What the buyer has to do now, and what it takes. */
export type PaymentConfirmation =
  /** Send the buyer there: the service's page, the bank's 3-D Secure page. */
  | { readonly type: 'redirect'; readonly url: string }
  /** Give the token to the service's widget on your page. */
  | { readonly type: 'embedded'; readonly token: string }
  /** Draw a QR code of it. */
  | { readonly type: 'qr'; readonly data: string }
  /** The buyer is asked elsewhere, e.g. by a push: say so. */
  | { readonly type: 'external' }
  /** A link into the bank's app, on the buyer's mobile device. */
  | { readonly type: 'mobile_application'; readonly url: string };

/** What is stored of it: the requested type alone until the service has answered. */
export interface StoredConfirmation {
  readonly type: ConfirmationType;
  readonly url?: string;
  readonly token?: string;
  readonly data?: string;
  /** That the service said so, of this payment: one for each of the store's credentials. */
  readonly seal?: string;
}

/** assumed: far above any address that a bank makes. */
const LONGEST_URL = 16_384;

/** A page that a browser opens, and into an app a link that it follows: hosts pass it on to it unseen. */
function isOpened(type: ConfirmationType, url: string): boolean {
  return type === 'mobile_application' ? isAppAddress(url, LONGEST_URL) : isWebAddress(url, LONGEST_URL);
}

/**
 * The confirmation of an answer; null: the buyer has nothing to do, or nothing this library knows. One of an unknown type is taken
 * for `redirect` if it has an address; what is no address to be opened is none.
 */
export function parseConfirmation(value: unknown): PaymentConfirmation | null {
  if (!isRecord(value)) return null;
  const { type } = value;
  if (type === 'external') return { type };
  const url = textOrNull(value['confirmation_url']);
  const token = textOrNull(value['confirmation_token']);
  const data = textOrNull(value['confirmation_data']);
  if (type === 'embedded') return token === null ? null : { type, token };
  if (type === 'qr') return data === null ? null : { type, data };
  const opened = type === 'mobile_application' ? type : 'redirect';
  return url === null || !isOpened(opened, url) ? null : { type: opened, url };
}

/** Of a stored one; null: it says the type alone, or what it has is no address to be opened. */
export function knownConfirmation({
  type,
  url,
  token,
  data,
}: StoredConfirmation): PaymentConfirmation | null {
  if (type === 'external') return { type };
  if (type === 'embedded') return token === undefined ? null : { type, token };
  if (type === 'qr') return data === undefined ? null : { type, data };
  return url === undefined || !isOpened(type, url) ? null : { type, url };
}
