import { parseArgs } from 'node:util';
import type { SandboxOptions } from './sandbox.options.js';

export const usage = `Usage: sandbox [flags]
  --port 4010               port to listen on, 0 for any free one
  --host 127.0.0.1          address to listen on
  --shop-id test_shop       user name of HTTP Basic
  --secret-key test_secret  password of HTTP Basic
  --notify URL              where notifications go; without it none are sent
  --help                    prints this`;

/** Reads the command line, with the values shown in `usage` as defaults; throws an Error that names the bad flag. */
export function parseFlags(args: readonly string[]): SandboxOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      'shop-id': { type: 'string', default: 'test_shop' },
      'secret-key': { type: 'string', default: 'test_secret' },
      notify: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : NaN;
  if (!(port <= 65_535)) throw new Error(`--port must be a number from 0 to 65535, not "${values.port}"`);
  // A colon ends the user name of HTTP Basic.
  if (!/^[^:\s]+$/.test(values['shop-id']))
    throw new Error('--shop-id must not be empty or hold a colon or space');
  if (values['secret-key'] === '') throw new Error('--secret-key must not be empty');
  if (values.notify !== undefined && !isWebAddress(values.notify)) {
    throw new Error(`--notify must be an http or https address, not "${values.notify}"`);
  }
  return {
    port,
    host: values.host,
    shopId: values['shop-id'],
    secretKey: values['secret-key'],
    ...(values.notify !== undefined && { notify: { url: values.notify } }),
  };
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
