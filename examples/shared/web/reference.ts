import { randomInt } from 'node:crypto';

/** Without the letters and digits that people confuse. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const pattern = /^[2-9A-HJKMNP-Z]{16}$/;

/** The reference of a new order. Nobody can guess it (79 bits), since it is all that is needed to open the order page. */
export function newReference(): string {
  return Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export function isReference(text: string): boolean {
  return pattern.test(text);
}
