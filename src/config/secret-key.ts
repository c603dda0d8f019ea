import type { SecretKeySource } from '@holdfast/payments';
import { readFile } from 'node:fs/promises';
import type { Environment } from './environment.js';

/**
 * The shop's secret key, or the keys from a file with one line for each valid key. The file is read again for every request, so
 * that the key can change while the shop runs. Always a function, so that printed options show no key.
 */
export function secretKeyFrom({
  PAYMENTS_SECRET_KEY: key,
  PAYMENTS_SECRET_KEY_FILE: file,
}: Environment): SecretKeySource {
  if (file === undefined) return () => key;
  return async () => (await readFile(file, 'utf8')).split(/\s+/).filter(Boolean);
}
