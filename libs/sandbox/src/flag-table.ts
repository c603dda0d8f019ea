/** A flag of the command. */
interface Flag {
  readonly type: 'string' | 'boolean';
  /** The value if the flag is not given; without a default, nothing. */
  readonly default?: string | boolean;
  /** Stands for the value in the usage, if there is no default to show. */
  readonly value?: string;
  readonly does: string;
}

/** Every flag of the command; the usage and the table of the README are made from it. */
export const flagTable = {
  port: { type: 'string', default: '4010', does: 'port to listen on, 0 for any free one' },
  host: { type: 'string', default: '127.0.0.1', does: 'address to listen on' },
  'shop-id': {
    type: 'string',
    default: 'test_shop',
    does: 'user name of HTTP Basic; `test_…` is a demo store',
  },
  'secret-key': { type: 'string', default: 'test_secret', does: 'password of HTTP Basic' },
  'access-token': { type: 'string', value: 'TOKEN', does: "an app's OAuth token for the same store" },
  notify: { type: 'string', value: 'URL', does: 'where notifications go; none are sent by default' },
  'notify-events': {
    type: 'string',
    value: 'LIST',
    does: 'events ticked in the Merchant Profile, separated by commas; default: all',
  },
  'notify-elsewhere': {
    type: 'boolean',
    default: false,
    does: 'notifications may go to other machines: HTTPS, port 443 or 8443',
  },
  profile: {
    type: 'string',
    default: 'documented',
    does: 'the names in the interface: `documented`, of the service interface, or `yookassa`',
  },
  'no-card-app': {
    type: 'boolean',
    default: false,
    does: "the store has the phone's card app disabled on its payment page",
  },
  receipts: {
    type: 'string',
    value: 'SCENARIO',
    does: 'the store sends receipts, with `yookassa`: `with_payment`, `before_payment` or `after_payment`',
  },
  'state-file': {
    type: 'string',
    value: 'FILE',
    does: 'keeps payments, refunds, receipts and saved methods for the next run; without it all is lost',
  },
  seed: {
    type: 'boolean',
    default: false,
    does: 'begins with a week of a small shop: payments in every state, refunds, a hold near its end',
  },
  quiet: {
    type: 'boolean',
    default: false,
    does: 'prints no line for each request and each notification',
  },
  help: { type: 'boolean', default: false, does: 'prints this and ends' },
} as const satisfies Readonly<Record<string, Flag>>;

interface FlagRow {
  /** `--notify URL` */
  readonly flag: string;
  readonly default: string | null;
  readonly does: string;
}

/** The flags as people read them. */
export const flagRows: readonly FlagRow[] = Object.entries<Flag>(flagTable).map(
  ([name, { default: fallback, value, does }]) => ({
    flag: `--${name}${value === undefined ? '' : ` ${value}`}`,
    default: typeof fallback === 'string' ? fallback : null,
    does,
  }),
);

export const usage = `Usage: holdfast-sandbox [flags]\n${usageLines().join('\n')}`;

function usageLines(): string[] {
  const shown = flagRows.map(({ flag, default: fallback, does }) => ({
    flag: fallback === null ? flag : `${flag} ${fallback}`,
    does: does.replaceAll('`', ''),
  }));
  const width = Math.max(...shown.map(({ flag }) => flag.length));
  return shown.map(({ flag, does }) => `  ${flag.padEnd(width)}  ${does}`);
}
