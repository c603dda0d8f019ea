/** A notification carries an object with objects in it, some five deep. */
const MAX_DEPTH = 32;

/** Bytes of a body at most. The largest object the service describes is a tenth of that. */
export const MAX_BODY_BYTES = 65_536;

/** The longest that says JSON in UTF-8 has half as many letters. Anyone may send 16,000. */
const LONGEST_TYPE = 64;

/** JSON in UTF-8, said as such. */
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
 * Whether parsed JSON may go on: not too deep, and without keys that change a prototype where somebody merges objects
 * (`__proto__`, a `constructor` with a `prototype`). No recursion: a deep body must not overflow the stack.
 */
export function isHarmless(body: unknown): boolean {
  let level = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (changesPrototype(value)) return false;
      for (const child of Object.values(value)) next.push(child);
    }
    level = next;
  }
  return true;
}

function changesPrototype(value: object): boolean {
  if (Object.hasOwn(value, '__proto__')) return true;
  const constructor: unknown = Object.getOwnPropertyDescriptor(value, 'constructor')?.value;
  return typeof constructor === 'object' && constructor !== null && Object.hasOwn(constructor, 'prototype');
}
