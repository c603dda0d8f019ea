import { parseArgs } from 'node:util';

import { profileNames, type ProfileName } from '../config/profiles.js';

export const usage = `Usage: npm run demo -- [flags]
  --profile documented  how the service names and answers things: ${profileNames.join(' or ')}
  --help                prints this`;

/** @throws Error that names the bad flag or value */
export function parseFlags(args: readonly string[]): { profile: ProfileName } | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      profile: { type: 'string', default: profileNames[0] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const profile = profileNames.find((name) => name === values.profile);
  if (profile === undefined)
    throw new Error(`--profile must be ${profileNames.join(' or ')}, not "${values.profile}"`);
  return { profile };
}
