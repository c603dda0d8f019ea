import { PaymentInputError, ReceiptNotPossibleError } from '@holdfast/payments';

import { formText } from '../../examples/shared/pages/form.js';

export const longestName = 100;
export const longestNote = 500;

/** Who took care of a receipt, and how; or who sends it again, and why. */
export interface ReceiptResolution {
  readonly by: string;
  readonly note: string;
}

/** The form as it was submitted, untrusted; null if it does not say both. */
export function parseResolution(body: unknown): ReceiptResolution | null {
  const [by, note] = [formText(body, 'by'), formText(body, 'note')];
  const isSaid = by !== '' && by.length <= longestName && note !== '' && note.length <= longestNote;
  return isSaid ? { by, note } : null;
}

/** Why a receipt cannot be sent again, by the name of the desk's notice; null for every other failure. */
export function noticeOfSending(error: unknown): 'receipt_not_sendable' | 'receipt_without_contact' | null {
  if (error instanceof ReceiptNotPossibleError) return 'receipt_not_sendable';
  // The form says nothing of the receipt itself, so only what is kept of it can fall short.
  return error instanceof PaymentInputError ? 'receipt_without_contact' : null;
}
