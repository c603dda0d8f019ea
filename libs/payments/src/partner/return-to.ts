import { isText } from '../common/text.js';

/** Not a real host: whatever leaves it would leave the owner's host too. */
const HERE = 'http://host.invalid';

export const returnToRule = 'must be a path on your own host, such as /stores, of at most 1024 characters';

/** Whether a browser that is sent there stays on the host: `//evil.example` and `/\evil.example` look like paths and are not. */
export function isReturnTo(value: unknown): value is string {
  return (
    isText(value, 1, 1024) &&
    /^\/[\x21-\x7e]*$/.test(value) &&
    URL.canParse(value, HERE) &&
    new URL(value, HERE).origin === HERE &&
    // Dot segments may leave a second slash in front.
    !new URL(value, HERE).pathname.startsWith('//')
  );
}

/**
 * The path with the result: `?store=` or `?error=`, besides the query it has. What a row names is looked at again: a role that may add rows
 * could lead an owner, who has just signed in, to any page.
 */
export function returnPath(
  returnTo: string,
  outcome: { readonly store: string } | { readonly error: string },
): string {
  const url = new URL(isReturnTo(returnTo) ? returnTo : '/', HERE);
  for (const name of ['store', 'error']) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value);
  return url.pathname + url.search + url.hash;
}
