import { readFile } from 'node:fs/promises';

import type { SecretKeySource } from '@holdfast/payments';

import type { Environment } from './environment.js';

/**
 * The shop's secret key, read anew for every request where a file holds it: a line of its own for each key that is valid,
 * so that the key can change while the shop runs. A function either way: it shows no key where options are printed.
 */
export function secretKeyFrom({
  PAYMENTS_SECRET_KEY: key,
  PAYMENTS_SECRET_KEY_FILE: file,
}: Environment): SecretKeySource {
  if (file === undefined) return () => key;
  return async () => (await readFile(file, 'utf8')).split(/\s+/).filter(Boolean);
}
