import { parseArgs } from 'node:util';

import { profileNames, type ProfileName } from '../../examples/shared/config/profiles.js';
import { oneOf } from '../common/flags.js';

/** Whether receipts go with the money, or follow it. */
const receiptTimes = ['with', 'after'] as const;
export type ReceiptTime = (typeof receiptTimes)[number];

export const usage = `Usage: npm run demo -- [flags]
  --profile documented  how the service names and answers things: ${profileNames.join(' or ')}
  --receipts after      with --profile yookassa: receipts follow the money; by default they go with it
  --help                prints this`;

export interface DemoFlags {
  readonly profile: ProfileName;
  /** null: there are none. */
  readonly receipts: ReceiptTime | null;
}

/** @throws Error that names the bad flag or value */
export function parseFlags(args: readonly string[]): DemoFlags {
  const { values } = parseArgs({
    args: [...args],
    options: { profile: { type: 'string', default: profileNames[0] }, receipts: { type: 'string' } },
  });
  const profile = oneOf('--profile', values.profile, profileNames);
  if (profile !== 'documented')
    return { profile, receipts: oneOf('--receipts', values.receipts ?? 'with', receiptTimes) };
  if (values.receipts !== undefined)
    throw new Error('--receipts needs --profile yookassa: the documented service has none');
  return { profile, receipts: null };
}
