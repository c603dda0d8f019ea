import { parseArgs } from 'node:util';

export const usage = `Usage: npm run test:package -- [flags]
  --only PATTERN     only rows whose text in --list matches this regular expression
  --list             prints all rows and ends
  --help             prints this
Packs both packages, and in applications as Nest's scaffolds make them takes a payment with them or runs the tests of docs/testing.md.`;

export interface PackageFlags {
  readonly list: boolean;
  readonly only: RegExp | null;
}

/** @throws Error that names the bad flag or value */
export function parseFlags(args: readonly string[]): PackageFlags {
  const { values } = parseArgs({
    args: [...args],
    options: { list: { type: 'boolean', default: false }, only: { type: 'string' } },
  });
  return { list: values.list, only: values.only === undefined ? null : new RegExp(values.only) };
}
