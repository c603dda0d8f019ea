import { createHmac, timingSafeEqual } from 'node:crypto';

/** `<owner>.<end>.<signature>`: nobody without the secret can make one, and no process has to keep it. */
const shape = /^([\w-]+)\.(\d{1,15})\.([\w-]{43})$/;

/** A session of this owner that ends at `endMs`. */
export function issueToken(ownerId: string, endMs: number, secret: string): string {
  return `${ownerId}.${endMs}.${signature(`${ownerId}.${endMs}`, secret)}`;
}

/** Whose session it is; null where it is none, is over, or somebody else made it. */
export function readToken(token: string, nowMs: number, secret: string): string | null {
  const [, ownerId, end, signed = ''] = shape.exec(token) ?? [];
  if (ownerId === undefined || end === undefined) return null;
  const right = Buffer.from(signature(`${ownerId}.${end}`, secret));
  if (!timingSafeEqual(Buffer.from(signed), right)) return null;
  return nowMs < Number(end) ? ownerId : null;
}

function signature(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}
