import { createHash, randomBytes } from 'node:crypto';

/** What is kept of a secret: enough to know it again. Looking one up by its digest tells nothing by how long it takes. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** A new one that nobody guesses; safe in a URL, a form and a header. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
