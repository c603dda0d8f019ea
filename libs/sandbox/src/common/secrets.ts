import { createHash, randomBytes } from 'node:crypto';

/** What is stored of a secret: enough to recognize it. A look-up by its digest reveals nothing by its duration. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** A new one that nobody can guess; safe in a URL, a form and a header. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
