import { randomInt } from 'node:crypto';

/** A number like those that card networks give to operations. */
export function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}
