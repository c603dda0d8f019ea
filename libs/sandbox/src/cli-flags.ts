import { parseArgs } from 'node:util';
import type { SandboxOptions } from './sandbox.options.js';

export const usage = `Usage: sandbox [flags]
  --port 4010               port to listen on, 0 for any free one
  --host 127.0.0.1          address to listen on
  --shop-id test_shop       user name of HTTP Basic; test_… is a demo store
  --secret-key test_secret  password of HTTP Basic
  --access-token TOKEN      an app's OAuth token for the same store; without it none is known
  --notify URL              where notifications go; without it none are sent
  --profile documented      whose names go over the wire: documented or yookassa
  --seed                    starts with payments in every state, as if the store were a week old
  --help                    prints this`;

/** What the command line asks for. */
export interface Flags extends SandboxOptions {
  readonly seed: boolean;
}

/** Reads the command line, with the values shown in `usage` as defaults; throws an Error that names the bad flag. */
export function parseFlags(args: readonly string[]): Flags | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      'shop-id': { type: 'string', default: 'test_shop' },
      'secret-key': { type: 'string', default: 'test_secret' },
      'access-token': { type: 'string' },
      notify: { type: 'string' },
      profile: { type: 'string', default: 'documented' },
      seed: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const { host, notify, profile, seed, 'access-token': accessToken } = values;
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : NaN;
  if (!(port <= 65_535)) throw new Error(`--port must be a number from 0 to 65535, not "${values.port}"`);
  // A colon ends the user name of HTTP Basic.
  if (!/^[^:\s]+$/.test(values['shop-id']))
    throw new Error('--shop-id must not be empty or hold a colon or space');
  if (values['secret-key'] === '') throw new Error('--secret-key must not be empty');
  if (accessToken !== undefined && !/^\S+$/.test(accessToken))
    throw new Error('--access-token must not be empty or hold a space');
  if (notify !== undefined && !isWebAddress(notify)) {
    throw new Error(`--notify must be an http or https address, not "${notify}"`);
  }
  if (profile !== 'documented' && profile !== 'yookassa') {
    throw new Error(`--profile must be documented or yookassa, not "${profile}"`);
  }
  return {
    port,
    host,
    shopId: values['shop-id'],
    secretKey: values['secret-key'],
    profile,
    seed,
    ...(accessToken !== undefined && { accessToken }),
    ...(notify !== undefined && { notify: { url: notify } }),
  };
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
