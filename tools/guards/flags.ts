import { parseArgs } from 'node:util';
import { wholeNumber } from '../common/flags.js';
import type { Share } from './share.js';

export const usage = `Usage: npm run guards -- [flags]
  --only PATTERN     only those whose name or file matches this regular expression
  --share I/N        only every Nth of them, beginning with number I; commit/N: the commit's hash chooses I
  --list             prints the names of all and ends
  --help             prints this
Breaks each line on which a guarantee rests, in a copy of this checkout, and runs the test that must fail for it.`;

export interface GuardsFlags {
  readonly list: boolean;
  readonly only: RegExp | null;
  readonly share: Share | null;
}

const MOST_SHARES = 1_000;

/** @throws Error that names the bad flag or value */
export function parseFlags(args: readonly string[]): GuardsFlags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      list: { type: 'boolean', default: false },
      only: { type: 'string' },
      share: { type: 'string' },
    },
  });
  return {
    list: values.list,
    only: values.only === undefined ? null : new RegExp(values.only),
    share: values.share === undefined ? null : shareIn(values.share),
  };
}

function shareIn(text: string): Share {
  const [index = '', of = '', ...rest] = text.split('/');
  if (rest.length > 0 || of === '') throw new Error(`--share must be I/N or commit/N, not "${text}"`);
  const shares = wholeNumber('--share', of, 1, MOST_SHARES);
  return { index: index === 'commit' ? index : wholeNumber('--share', index, 1, shares), of: shares };
}
