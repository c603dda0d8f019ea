import { isEmail } from 'class-validator';

/** A receipt is sent to no longer address. */
export const longestEmail = 254;

/** Whether a receipt can be sent there. A quoted one may have anything in it, which no receipt takes. */
export function isReceiptEmail(text: unknown): text is string {
  return (
    isEmail(text, { allow_utf8_local_part: false }) &&
    typeof text === 'string' &&
    text.length <= longestEmail &&
    /^[^\s@,;<>"]+@/.test(text)
  );
}
