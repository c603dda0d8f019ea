import { PaymentInputError, ReceiptNotPossibleError } from '@holdfast/payments';

import { formText } from '../../examples/shared/pages/form.js';
import { isReceiptEmail } from '../orders/receipt-email.js';
import { parseResolution, type Resolution } from './resolution.js';

/** Who sends a receipt again and why, and where it goes if not where it went before. */
export interface Sending extends Resolution {
  readonly customer?: { readonly email: string };
}

/** The same form, sent by its other button; or what is wrong with it, by the name of the desk's notice. */
export function parseSending(body: unknown): Sending | 'who_and_what' | 'email_not_usable' {
  const resolution = parseResolution(body);
  if (resolution === null) return 'who_and_what';
  const email = formText(body, 'email');
  if (email === '') return resolution;
  return isReceiptEmail(email) ? { ...resolution, customer: { email } } : 'email_not_usable';
}

/** Why a receipt cannot be sent again, by the name of the desk's notice; null for every other failure. */
export function noticeOfSending(error: unknown): 'receipt_not_sendable' | 'receipt_without_contact' | null {
  if (error instanceof ReceiptNotPossibleError) return 'receipt_not_sendable';
  // Its email is checked before, and it says nothing else of the receipt, so only what is kept of that can fall short.
  return error instanceof PaymentInputError ? 'receipt_without_contact' : null;
}
