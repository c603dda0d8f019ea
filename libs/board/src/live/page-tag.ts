import { createHash } from 'node:crypto';

/**
 * The entity tag of a page that renews itself: another one as soon as anything on it is different but the time that it is of. Weak, for two
 * pages with the same tag differ in that.
 */
export function tagOf(html: string): string {
  const lasting = html.replace(/(?<=<p class="asof" id="asof">as of )<time [^>]*>[^<]*<\/time>/, '');
  return `W/"${createHash('sha256').update(lasting).digest('base64url').slice(0, 22)}"`;
}

/** Whether a browser has this page already, by what it says of itself. */
export function hasAlready(request: object, tag: string): boolean {
  const headers: unknown = 'headers' in request ? request.headers : null;
  if (typeof headers !== 'object' || headers === null) return false;
  return 'if-none-match' in headers && headers['if-none-match'] === tag;
}
