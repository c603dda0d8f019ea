import type { Dice } from '../common/dice.js';

/** The sender of a request: the address that connects, and the headers that name others. */
interface SenderChoice {
  readonly what: string;
  /** Undefined: the trusted proxy's. */
  readonly peer?: string;
  readonly headers: readonly string[];
}

const LISTED = [
  '185.71.76.1',
  '185.71.77.30',
  '77.75.153.100',
  '77.75.156.11',
  '77.75.156.35',
  '2a02:5180::1',
];

const octet = (dice: Dice) => dice.whole(0, 255);
const listed = (dice: Dice) => dice.pick(LISTED);
/** In networks that contain neither the service nor a proxy of the host's. */
const stranger = (dice: Dice): string =>
  dice.chance(0.2)
    ? `2001:db8::${octet(dice).toString(16)}`
    : `${dice.pick(['203.0.113', '198.51.100', '192.0.2', '10.1.2', '185.71.78', '77.75.155'])}.${octet(dice)}`;

/** Through the host's own proxy, from an address of the service's. */
export function genuineSender(dice: Dice): SenderChoice {
  const address = listed(dice);
  const header = dice.pick([
    `X-Forwarded-For: ${address}`,
    `x-forwarded-for:${address}`,
    `X-Forwarded-For: ${stranger(dice)}, ${address}`,
    `X-Forwarded-For: ${address}, 127.0.0.1`,
  ]);
  return { what: 'a genuine sender', headers: [header] };
}

const OTHER_HEADERS = [
  'X-Real-IP',
  'X-Client-IP',
  'X-Forwarded',
  'X-Cluster-Client-IP',
  'X-Original-Forwarded-For',
  'X_Forwarded_For',
  'X-Forwarded-Host',
  'X-Remote-Addr',
  'Remote-Addr',
  'Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'Fastly-Client-IP',
  'X-Azure-ClientIP',
  'Via',
];

type Forgery = [what: string, forge: (dice: Dice) => Omit<SenderChoice, 'what'>];

const through = (line: (dice: Dice) => string): Forgery[1] => {
  return (dice) => ({ headers: [`X-Forwarded-For: ${line(dice)}`] });
};

/** None of them is from the service. */
const forgeries: Forgery[] = [
  ['a stranger behind the proxy', through(stranger)],
  ['a sender before a stranger', through((dice) => `${listed(dice)}, ${stranger(dice)}`)],
  ['a stranger that names a proxy', through((dice) => `${listed(dice)}, ${stranger(dice)}, 127.0.0.1`)],
  [
    'senders by the hundred',
    through((dice) => `${`${listed(dice)}, `.repeat(dice.whole(1, 400))}${stranger(dice)}`),
  ],
  [
    'junk as the nearest',
    through(
      (dice) => `${listed(dice)}, ${dice.pick(['unknown', '_x', '%00', '"', '[', ';', '127.0.0.1.', '0'])}`,
    ),
  ],
  ['a sender spelled oddly', through((dice) => odd(listed(dice), dice))],
  ['an address without end', through((dice) => dice.pick(['a:', ':', '1', '::1%', '1.']).repeat(3_500))],
  ['nobody', () => ({ headers: [] })],
  ['an empty name', through(() => '')],
  ['only the proxy', through(() => '127.0.0.1')],
  ['a sender in another header', (dice) => ({ headers: [`${dice.pick(OTHER_HEADERS)}: ${listed(dice)}`] })],
  ['the newer header', (dice) => ({ headers: [`Forwarded: for=${listed(dice)};proto=https`] })],
  [
    'a sender in another header, a stranger in the right one',
    (dice) => ({
      headers: [`${dice.pick(OTHER_HEADERS)}: ${listed(dice)}`, `X-Forwarded-For: ${stranger(dice)}`],
    }),
  ],
  [
    'two lines, the stranger last',
    (dice) => ({ headers: [`X-Forwarded-For: ${listed(dice)}`, `X-Forwarded-For: ${stranger(dice)}`] }),
  ],
  [
    'a header to be forgotten on the way',
    (dice) => ({ headers: ['Connection: X-Forwarded-For', `X-Forwarded-For: ${stranger(dice)}`] }),
  ],
  [
    'a stranger that connects itself',
    (dice) => ({
      peer: `127.0.0.${dice.whole(2, 250)}`,
      headers: [`X-Forwarded-For: ${dice.pick([listed(dice), `${listed(dice)}, 127.0.0.1`, '127.0.0.1'])}`],
    }),
  ],
];

export function forgedSender(dice: Dice): SenderChoice {
  const [what, forge] = dice.pick(forgeries);
  return { what, ...forge(dice) };
}

/** Addresses that other software might read as the sender. */
function odd(address: string, dice: Dice): string {
  if (address.includes(':'))
    return dice.pick([`${address}:0:0:0:0:0:0:0`, `${address}::`, `[${address}`, `"[${address}]"`]);
  const parts = address.split('.').map(Number);
  return dice.pick([
    address.replace(/\.(\d+)$/, '.0$1'),
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    String(parts.reduce((sum, part) => sum * 256 + part, 0)),
    parts.slice(0, 3).join('.'),
    `${address}.`,
    `${address}/32`,
    `"${address}"`,
    `for=${address}`,
    `::${address}`,
    `64:ff9b::${address}`,
    `${address}x`,
    `${address}:port`,
    `[${address}]`,
    address.replaceAll('.', '。'),
  ]);
}
