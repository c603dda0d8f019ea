import type { IncomingMessage } from 'node:http';

/** A notification is an object with objects in it, some five deep. */
const MAX_DEPTH = 32;

/** Bytes of a body at most. The largest object the service describes is a tenth of that. */
export const MAX_BODY_BYTES = 65_536;

/** The longest content type that means JSON in UTF-8 has half as many letters. Anyone may send 16,000. */
const LONGEST_TYPE = 64;

/** JSON in UTF-8, declared as such. */
export function isJsonType(contentType = ''): boolean {
  if (contentType.length > LONGEST_TYPE) return false;
  const [type, charset = '', ...rest] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isUtf8 = charset === '' || /^charset *= *(utf-8|"utf-8")$/.test(charset);
  return type === 'application/json' && isUtf8 && rest.every((part) => part === '');
}

/**
 * Whether parsed JSON is acceptable: not too deep, and without keys that change a prototype when objects are merged (`__proto__`,
 * a `constructor` with a `prototype`).
 */
export function isHarmless(body: unknown, depth = 0): boolean {
  // Also the end of this recursion: no body, however deep, overflows the stack.
  if (depth > MAX_DEPTH) return false;
  if (typeof body !== 'object' || body === null) return true;
  return !changesPrototype(body) && Object.values(body).every((child) => isHarmless(child, depth + 1));
}

function changesPrototype(value: object): boolean {
  if (Object.hasOwn(value, '__proto__')) return true;
  const constructor: unknown = Object.getOwnPropertyDescriptor(value, 'constructor')?.value;
  return typeof constructor === 'object' && constructor !== null && Object.hasOwn(constructor, 'prototype');
}

/** The bytes of a body, or why there are none. `gone`: the peer hung up. */
type BodyRead = Buffer | 'too large' | 'too slow' | 'gone';

/** Reads a request's body, never more of it than a notification has, and never for longer. Further bytes are discarded. */
export function collectBody(request: IncomingMessage, timeoutMs: number): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) settle('too large');
      else chunks.push(chunk);
    };
    const end = () => settle(Buffer.concat(chunks));
    const gone = () => settle('gone');
    const timer = setTimeout(() => settle('too slow'), timeoutMs);
    const settle = (result: BodyRead) => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', gone);
      resolve(result);
    };
    // An error is followed by close; without a listener it would end the process.
    request.on('error', () => undefined);
    request.on('end', end).on('close', gone).on('data', take);
    if (Number(request.headers['content-length']) > MAX_BODY_BYTES) settle('too large');
  });
}
