import type { Guard } from './guards.js';
import { searchOf, type Part, type Size } from './scopes.js';

/** Guards taken out, and where in the protocol that shows soonest. */
export interface Removal {
  /** Several stand in for each other: all is well as long as one of them is left. */
  readonly without: readonly Guard[];
  readonly part: Part;
  readonly size: Size;
  /** Where its story is played against the module. */
  readonly played?: Played;
  /** Its search takes about a second or more: test/deep/model.spec.ts has it. */
  readonly isLong?: boolean;
}

/** A test, by the title that its file has. */
export interface Played {
  /** Within `test/`, without its ending. */
  readonly file: string;
  readonly title: string;
}

const CALM: Size = { faults: 0, workers: 1, calls: 1 };
const TWICE: Size = { ...CALM, calls: 2, isAlone: true };

const removal = (
  without: Guard | readonly Guard[],
  part: Part,
  size: Partial<Size> = {},
  played?: Played,
): Removal => ({
  without: typeof without === 'string' ? [without] : without,
  part,
  size: { ...CALM, ...size },
  ...(played && { played }),
});

const long = (one: Removal): Removal => ({ ...one, isLong: true });

const inFile =
  (file: string) =>
  (title: string): Played => ({ file, title });
const forgotten = inFile('internals/forgotten');
const ofTry = inFile('internals/forgotten-tries');
const ofEffect = inFile('internals/effects');
const ofReceipt = inFile('deep/forgotten-receipts');
/** Who asks again afterwards. */
const AGAIN: Partial<Size> = { calls: 2, isAlone: true };
const ALONE: Partial<Size> = { isAlone: true };

export const removals: readonly Removal[] = [
  removal('order lock', 'charging'),
  removal('one key', 'charging'),
  removal('key lifetime', 'charging'),
  removal('lease before request', 'charging'),
  long(removal('unknown stays unknown', 'charging', { faults: 1 })),
  long(removal('attempt fence', 'charging', { faults: 1 })),
  removal('quiet before never received', 'charging'),
  removal('own waiting before never received', 'charging as a clock jumps', ALONE),
  removal('newest attempt before never received', 'charging'),
  removal('version check', 'replacing'),
  removal('status table', 'capturing'),
  long(removal('quiet before no effect', 'capturing', { faults: 1, isAlone: true })),
  removal('refund bound', 'refunding'),
  removal('refund key', 'refunding', TWICE),
  removal('quiet before lost refund', 'refunding', { faults: 1, isAlone: true }),
  long(removal('newest attempt before lost refund', 'refunding', { ...TWICE, faults: 1 })),
  removal('place with its record', 'notified early'),
  removal(['wanted keeps its place', 'signals answered as seen'], 'refunded outside'),
  long(
    removal(['wanted keeps its place', 'open work keeps its place'], 'asked for while read', { faults: 1 }),
  ),
  long(removal('lease fence', 'refunded outside', { faults: 1, workers: 2 })),
  removal('re-read before belief', 'notifying'),
  long(removal('effect with its mark', 'notifying', { faults: 1 })),
  removal('mark before run', 'notifying', { workers: 2 }),
  removal('effect recorded with its handler', 'effect outside', { faults: 1 }),
  removal('effect marked after its run', 'effect outside', { faults: 1 }),
  long(
    removal(
      'effect begun under its lease',
      'forgotten run',
      { workers: 2 },
      ofEffect('before it began, and was taken back, is left to the other'),
    ),
  ),
  long(
    removal(
      'effect marked under its lease',
      'forgotten run',
      { workers: 2 },
      ofEffect('while it is run, and is taken back, does not mark the other done'),
    ),
  ),
  removal(
    'derived keys',
    'forgotten charge',
    AGAIN,
    forgotten('that was paid meanwhile is paid for the buyer who clicks again'),
  ),
  removal('try number', 'forgotten charge', AGAIN, forgotten('of a second try is the second one again')),
  long(
    removal(
      'search on a used key',
      'forgotten unseen and replaced',
      { workers: 0 },
      forgotten('is found before the buyer who wants %s may open another one'),
    ),
  ),
  removal(
    'forgotten found again',
    'forgotten and asked again',
    ALONE,
    forgotten(
      'is recorded again at the first notification, with its events, totals and the same keys of effects',
    ),
  ),
  removal(
    'verified mark',
    'beside another database',
    {},
    forgotten('with a mark that somebody else made is not ours'),
  ),
  long(
    removal(
      'adoption under the order lock',
      'forgotten and asked again',
      ALONE,
      forgotten('is recorded once, by looks that find it at the same moment'),
    ),
  ),
  removal(
    'place by the number of its try',
    'forgotten hold',
    {},
    ofTry('and that was held takes the place of the older one that is open here: its hold stays'),
  ),
  removal(
    'total of the newest try',
    'forgotten total',
    {},
    ofTry('brings the total that it %s: its order is paid under the same key of effects'),
  ),
  long(
    removal(
      'refund key in its mark',
      'forgotten refund',
      AGAIN,
      forgotten('is ours again when it is found, whether or not anybody asks for it'),
    ),
  ),
  long(
    removal(
      'effect named by its event',
      'forgotten effect',
      {},
      forgotten('has a key of its effects that never means another event'),
    ),
  ),
  long(
    removal(
      'another request under its key',
      'forgotten and replaced',
      {},
      forgotten('is recorded again where the list shows it in place of one that never arrived under its key'),
    ),
  ),
  removal('quiet before lost receipt', 'sending a receipt', { faults: 2 }),
  removal(['receipt key', 'receipts fit the money'], 'forgotten settlement', TWICE),
  removal('sent waits for its answer', 'forgotten receipt'),
  long(
    removal(
      'never sent is what is listed',
      'forgotten receipt',
      {},
      ofReceipt('that a copy from before the money moved has as owed'),
    ),
  ),
  long(
    removal(
      'receipts wait for the lists',
      'forgotten receipt',
      {},
      ofReceipt('that a copy from before the money moved has as owed'),
    ),
  ),
  removal(
    'missing once the lists are read',
    'forgotten with its receipt',
    {},
    ofReceipt('that was sent is not missing, whatever is decided before it is found'),
  ),
  removal(
    'creates wait for the lists',
    'forgotten charge',
    AGAIN,
    inFile('internals/recovery-gate')(
      'no payment is opened: nothing is recorded or sent, and the caller is told to try again',
    ),
  ),
  removal(
    'refunds wait for the lists',
    'forgotten refund',
    AGAIN,
    inFile('internals/recovery-gate')(
      'what a copy older than the keys has forgotten is refunded once, whenever it is asked for again',
    ),
  ),
];

/** The shortest story that breaks a guarantee without these guards, in a line. */
export function told({ without, part, size }: Removal): string {
  const { counterexample } = searchOf(part, size, without);
  return `${without.join(' + ')}: ${counterexample?.story.length ?? 'no'} steps, ${counterexample?.fault ?? 'nothing'}`;
}
