/** What steers how a page is read, or is no text at all. Joiners stay: emoji and several scripts are written with them. */
const STEERING =
  /(?![\n\r\t])\p{Cc}|[\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;

/**
 * A whole page without what turns its texts around: a buyer's word, or the service's, could otherwise show an amount or a name backwards. A
 * code stands in its place, so that it is noticed.
 */
export function seen(html: string): string {
  return html.replace(
    STEERING,
    (found) => `[U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
