import { posix } from 'node:path';
import type { Ending } from './beginning.js';

/** How one file of the application imports another; `file` is without its ending. */
export function specifierOf(importer: string, file: string, ending: Ending): string {
  const relative = posix.relative(posix.dirname(importer), file);
  return `${relative.startsWith('.') ? '' : './'}${relative}${ending}`;
}
