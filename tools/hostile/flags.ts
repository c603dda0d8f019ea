import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { SEEDS, wholeNumber } from '../common/flags.js';

export const usage = `Usage: npm run test:hostile -- [flags]
  --requests 100000  how many are sent
  --seed N           sends the requests of the run that printed this seed
  --help             prints this`;

/** @throws Error that names the bad flag or value */
export function parseFlags(args: readonly string[]): { readonly requests: number; readonly seed: number } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(randomInt(SEEDS)) },
    },
  });
  return {
    requests: wholeNumber('--requests', values.requests, 10, SEEDS),
    seed: wholeNumber('--seed', values.seed, 0, SEEDS),
  };
}
