import { parseArgs } from 'node:util';

import { profileNames, type ProfileName } from '../../examples/shared/config/profiles.js';
import { oneOf } from '../common/flags.js';

export const usage = `Usage: npm run demo -- [flags]
  --profile documented  how the service names and answers things: ${profileNames.join(' or ')}
  --help                prints this`;

/** @throws Error that names the bad flag or value */
export function parseFlags(args: readonly string[]): { readonly profile: ProfileName } {
  const { values } = parseArgs({
    args: [...args],
    options: { profile: { type: 'string', default: profileNames[0] } },
  });
  return { profile: oneOf('--profile', values.profile, profileNames) };
}
