import { readFile } from 'node:fs/promises';
import { parseFlags } from '../../libs/sandbox/src/cli-flags.js';
import { flagRows } from '../../libs/sandbox/src/flag-table.js';

describe('the command line', () => {
  it('has a value for every flag that needs one', () => {
    expect(parseFlags([])).toEqual({
      port: 4010,
      host: '127.0.0.1',
      shopId: 'test_shop',
      secretKey: 'test_secret',
      profile: 'documented',
      seed: false,
      quiet: false,
      notify: { elsewhere: false },
      cardApp: true,
    });
  });

  it('reads every flag', () => {
    const flags = [
      '--port',
      '0',
      '--host',
      '::1',
      '--shop-id',
      's',
      '--secret-key',
      'k',
      '--notify=https://x/y',
      '--notify-events',
      'refund.succeeded, payment.succeeded',
      '--notify-elsewhere',
      '--access-token',
      't',
      '--profile',
      'yookassa',
      '--no-card-app',
      '--receipts',
      'after_payment',
      '--state-file',
      'sandbox.state',
      '--seed',
      '--quiet',
    ];
    expect(parseFlags(flags)).toEqual({
      port: 0,
      host: '::1',
      shopId: 's',
      secretKey: 'k',
      notify: {
        url: 'https://x/y',
        events: ['refund.succeeded', 'payment.succeeded'],
        elsewhere: true,
      },
      accessToken: 't',
      profile: 'yookassa',
      cardApp: false,
      receipts: { scenario: 'after_payment', provider: 'atol' },
      stateFile: 'sandbox.state',
      seed: true,
      quiet: true,
    });
  });

  it('prints its usage on request', () => {
    expect(parseFlags(['--help'])).toBe('help');
  });

  it.each([
    [['--prot', '1'], '--prot'],
    [['--port', '65536'], '--port'],
    [['--port', 'x'], '--port'],
    [['--port'], '--port'],
    [['--shop-id', 'a:b'], '--shop-id'],
    [['--secret-key', ''], '--secret-key'],
    [['--notify', 'localhost'], '--notify'],
    [['--notify', 'https://shop.test/'], '--notify-elsewhere'],
    [['--notify', 'http://shop.test/', '--notify-elsewhere'], '--notify http://shop.test/'],
    [['--notify-events', 'payment.paid'], '"payment.paid"'],
    [['--access-token', ''], '--access-token'],
    [['--state-file', ''], '--state-file'],
    [['--profile', 'other'], '--profile'],
    [['--receipts', 'sometimes', '--profile', 'yookassa'], '--receipts'],
    [['--receipts', 'with_payment'], '--profile yookassa'],
    [['--seed=yes'], '--seed'],
    [['extra'], 'extra'],
  ])('refuses %j and names it', (flags, named) => {
    expect(() => parseFlags(flags)).toThrow(named);
  });

  it('has every flag in the README, with the same text', async () => {
    const readme = await readFile(new URL('../../libs/sandbox/README.md', import.meta.url), 'utf8');
    const rows = readme
      .split('\n')
      .filter((line) => line.startsWith('| `--'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    expect(rows).toEqual(
      flagRows.map(({ flag, default: fallback, does }) => [
        '',
        `\`${flag}\``,
        fallback === null ? '' : `\`${fallback}\``,
        does,
        '',
      ]),
    );
  });
});
