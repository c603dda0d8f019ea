import { parseArgs } from 'node:util';

import { wholeNumber } from '../common/flags.js';

export const usage = `Usage: npm run bench -- [names] [flags]
  names          which benches to run, such as: claim rereads; default: all
  --list         prints the names of all benches and ends
  --quick        smaller and shorter: all within five minutes; figures are rough
  --tiny         only shows that everything runs; figures mean nothing
  --payments N   of the long run, the bench called day: how many are made
  --settled N    likewise: how many settled ones are there before
  --json FILE    also writes every round of every figure to this file
  --markdown     prints the tables as Markdown, as in docs/benchmarks.md
  --help         prints this
PostgreSQL is started only for this run, with its durability on; DATABASE_URL is not used.`;

/** The bench whose length can be named. */
const DAY = 'day';

/** How much work is done for a figure. */
export type Effort = 'full' | 'quick' | 'tiny';

export interface BenchFlags {
  /** Empty: all. */
  readonly names: readonly string[];
  readonly effort: Effort;
  /** Of the long run; null: by the effort. */
  readonly payments: number | null;
  readonly settled: number | null;
  readonly json: string | null;
  readonly markdown: boolean;
}

/** @throws Error that names the bad flag or bench */
export function parseFlags(args: readonly string[], known: readonly string[]): BenchFlags | 'list' {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      payments: { type: 'string' },
      settled: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'boolean', default: false },
    },
  });
  if (values.list) return 'list';
  if (values.quick && values.tiny) throw new Error('--quick and --tiny are two kinds of run: choose one');
  const stranger = positionals.find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new Error(`There is no bench "${stranger}"; there are ${known.join(', ')}`);
  const ofDay = (flag: 'payments' | 'settled', least: number): number | null => {
    const text = values[flag];
    if (text === undefined) return null;
    if (positionals.length > 0 && !positionals.includes(DAY))
      throw new Error(`--${flag} is for the bench called ${DAY}`);
    return wholeNumber(`--${flag}`, text, least, 100_000_000);
  };
  return {
    names: positionals,
    effort: values.tiny ? 'tiny' : values.quick ? 'quick' : 'full',
    payments: ofDay('payments', 20),
    settled: ofDay('settled', 0),
    json: values.json ?? null,
    markdown: values.markdown,
  };
}
