import type { Dice } from '../common/dice.js';

/** `accepted`: a notification, word for word; `refused`: none; `either`: a few bytes beside its event and id differ. */
export type Verdict = 'accepted' | 'refused' | 'either';

interface BodyChoice {
  readonly what: string;
  readonly text: string;
  readonly verdict: Verdict;
}

/** What the service sends about payments and refunds. */
export const events = [
  'payment.succeeded',
  'payment.waiting_for_capture',
  'payment.canceled',
  'refund.succeeded',
];

const LIMIT = 65_536;

const head = (event: string, id: string) =>
  `{"type":"notification","event":${JSON.stringify(event)},"object":{"id":${JSON.stringify(id)},`;
const TAIL =
  '"status":"succeeded","paid":true,"amount":{"value":"0.01","currency":"RUB"},"note":["x",1,null]}}';
const start = (dice: Dice, id: string) => head(dice.pick(events), id);

/** A lie about a payment of ours. */
export function wholeBody(dice: Dice, ids: readonly string[]): BodyChoice {
  return { what: 'a lie', text: start(dice, dice.pick(ids)) + TAIL, verdict: 'accepted' };
}

/** Of an unknown payment: only for senders who are refused anyway, since each would be a row. */
export function unknownBody(dice: Dice): BodyChoice {
  const id = Array.from({ length: 32 }, () => dice.whole(0, 15).toString(16)).join('');
  return { what: 'an unknown id', text: start(dice, id) + TAIL, verdict: 'accepted' };
}

type Mutation = [what: string, verdict: Verdict, mutate: (dice: Dice, id: string) => string];

const object = (note: (dice: Dice) => string): Mutation[2] => {
  return (dice, id) => `${start(dice, id)}"note":${note(dice)}}}`;
};
const withId = (write: (id: string) => string): Mutation[2] => {
  return (dice, id) => start(dice, 'ID').replace('"ID"', write(id)) + TAIL;
};

/** Faults of every kind; none of them produces another event or id than those of the table. */
const mutations: Mutation[] = [
  ['bytes changed', 'either', (dice, id) => start(dice, id) + garbled(TAIL, dice)],
  ['an end that is missing', 'refused', (dice, id) => (start(dice, id) + TAIL).slice(0, -dice.whole(1, 60))],
  [
    'something behind the end',
    'refused',
    (dice, id) => `${start(dice, id)}${TAIL}${dice.pick(['}', ',', '{}', '\0', '[]'])}`,
  ],
  [
    'blanks around it',
    'accepted',
    (dice, id) => `\n\t ${start(dice, id)}${TAIL}${' '.repeat(dice.whole(1, 2_000))}`,
  ],
  ['some depth', 'accepted', object((dice) => nested(dice.whole(1, 25)))],
  ['too much depth', 'refused', object((dice) => nested(dice.whole(40, 20_000)))],
  [
    '__proto__',
    'refused',
    object((dice) => `{${dice.pick(['"__proto__"', String.raw`"\u005f_proto__"`])}:{"type":"notification"}}`),
  ],
  ['a prototype of a constructor', 'refused', object(() => '{"constructor":{"prototype":{"admin":true}}}')],
  [
    'keys of objects',
    'accepted',
    object(() => '{"constructor":1,"toString":2,"hasOwnProperty":3,"then":4,"toJSON":5}'),
  ],
  ['numbers beyond all measure', 'accepted', object(() => `[1e999,-1e-999,${'9'.repeat(400)},-0]`)],
  [
    'odd letters',
    'accepted',
    object(() => String.raw`"\u0000\ud800\uffff\u202e😀'; DROP TABLE payments_payments; --"`),
  ],
  [
    'many keys',
    'accepted',
    object(
      (dice) => `{${Array.from({ length: dice.whole(1, 2_000) }, (_, index) => `"${index}":0`).join()}}`,
    ),
  ],
  ['a large body', 'accepted', object((dice) => `"${'x'.repeat(dice.whole(1_000, LIMIT - 500))}"`)],
  ['too large a body', 'refused', object((dice) => `"${'x'.repeat(dice.whole(LIMIT, 2 * LIMIT))}"`)],
  ['nothing', 'refused', () => ''],
  [
    'other JSON',
    'refused',
    (dice) => dice.pick(['null', '0', '"x"', '[]', '{}', 'true', '[[]]', '{"type":"notification"}']),
  ],
  ['a list of notifications', 'refused', (dice, id) => `[${start(dice, id)}${TAIL}]`],
  [
    'another type',
    'refused',
    (dice, id) =>
      (start(dice, id) + TAIL).replace(
        '"notification"',
        dice.pick(['"Notification"', 'null', '["notification"]', '{}']),
      ),
  ],
  [
    'no event',
    'refused',
    (dice, id) =>
      head(
        dice.pick([
          '',
          'payment',
          'payment.',
          '.succeeded',
          'payment.succeeded.x',
          'PAYMENT.SUCCEEDED',
          'payment.succeeded\n',
          '../x.y',
          'a.b/../c',
          `a.${'b'.repeat(40)}`,
        ]),
        id,
      ) + TAIL,
  ],
  [
    'an event that is no text',
    'refused',
    (dice, id) =>
      `{"type":"notification","event":${dice.pick(['null', '1', '["payment.succeeded"]', '{"toString":"x"}'])},"object":{"id":"${id}"}}`,
  ],
  ['an id that is no text', 'refused', withId((id) => `["${id}"]`)],
  ['an id with a path', 'refused', withId((id) => `"../refunds/${id}"`)],
  ['an id with a query', 'refused', withId((id) => `"${id}?x=1#y"`)],
  ['an id with an escape', 'refused', withId((id) => `"${id}%2f.."`)],
  ['an id with a line break', 'refused', withId((id) => String.raw`"${id}\r\nX: y"`)],
  ['an id with a zero byte', 'refused', withId((id) => String.raw`"${id}\u0000"`)],
  ['an id with SQL', 'refused', withId((id) => `"${id}' OR 1=1 --"`)],
  ['an id too long', 'refused', withId((id) => `"${id.repeat(3)}"`)],
  ['no id', 'refused', withId(() => 'null')],
  [
    'no object',
    'refused',
    (dice) =>
      `{"type":"notification","event":"payment.succeeded","object":${dice.pick(['null', '[]', '"x"', '{}'])}}`,
  ],
];

export function mutatedBody(dice: Dice, ids: readonly string[]): BodyChoice {
  const [what, verdict, mutate] = dice.pick(mutations);
  return { what, verdict, text: mutate(dice, dice.pick(ids)) };
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

function garbled(text: string, dice: Dice): string {
  let garbage = text;
  for (let count = dice.whole(1, 4); count > 0; count -= 1) {
    const at = dice.whole(0, garbage.length - 1);
    const letter = String.fromCharCode(dice.whole(0, 255));
    garbage = garbage.slice(0, at) + dice.pick([letter, '', letter + garbage[at]]) + garbage.slice(at + 1);
  }
  return garbage;
}
