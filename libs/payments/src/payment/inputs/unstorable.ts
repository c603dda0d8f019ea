import { holdsCardNumber } from '../../api/holds-card-number.js';
import { pathOf } from '../../api/requests/path-of.js';
import { isRecord } from '../../common/is-record.js';
import { PaymentInputError } from '../../common/payments.errors.js';

/** Names as they are after {@link bare}, and what a field of that name holds: however somebody else may spell it. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [
    /csc|cvc|cvv|cvn|cav2|^cid$|^(?:card)?pin(?:code|block|number)?$|securit(?:y|ies)(?:code|number)|verification(?:code|value|number)|card(?:code|id|security|verification)/,
    "a card's security code",
  ],
  [
    /^cards?$|card(?:holder|name|num|no$|number|data|details|info|exp)|(?:credit|debit|bank|payment)card|^holder(?:name)?$|nameoncard|numberofcard|^cc(?:no|num|number|exp|data)/,
    'card data',
  ],
  [
    /^(?:full|account|primary|card|d|f)?pan(?:number|hash)?$|primaryaccountnumber|plasticnumber|^track\d?(?:data)?$|mag(?:netic)?stripe|emvdata|^exp(?:iry|iration)?(?:month|year)$/,
    'card data',
  ],
  [/token|cryptogram|^jwt$|^bearer$|(?:apple|google|samsung)paydata|sessionid/, 'a token'],
  [
    /secret|passwo?r?d|^pass$|^pwd$|passphrase|(?:api|access|private)key|^(?:basic)?auth(?:orization)?(?:header)?$|credential/,
    'a secret',
  ],
];

/**
 * A token of JSON (JWT), a bearer's, or a secret key as the service makes them. The header of the first has some hundred
 * characters; without a bound, each of many beginnings would be searched to the text's end.
 */
const TOKEN = /\beyJ[\w-]{1,1000}\.[\w-]+\.|\bBearer\s+\S|\b(?:live|test)_[\w-]{30}/i;

/** Digits that the service calls something else: one in ten of such numbers has the check digit of a card's by chance. */
const OTHER_NUMBERS: ReadonlySet<string> = new Set([
  'payment_method_data.articles.article_code',
  'payment_method_data.articles.tru_code',
  'payment_method_data.phone',
  'payment_order.account_number',
  'payment_order.payment_document_id',
  'payment_order.payment_document_number',
  'payment_order.service_id',
  'receiver.account_number',
  'receiver.phone',
  'refund_method_data.articles.tru_code',
]);

const MAX_DEPTH = 10;

const AND_IS_STORED = 'and what is passed here is stored';

/** Where a value is. */
interface Spot {
  /** As errors name it. */
  readonly path: string;
  /** As in {@link OTHER_NUMBERS}. */
  readonly place: string;
  readonly depth: number;
}

/**
 * Refuses card data, tokens and secrets at any depth, by what fields are called and by what they hold: what is checked here is
 * stored.
 * @throws PaymentInputError naming the field by its path below `root`, never its value
 */
export function mustBeStorable(fields: Readonly<Record<string, unknown>>, root: string): void {
  check(fields, { path: root, place: '', depth: 0 });
}

function check(value: unknown, { path, place, depth }: Spot): void {
  if (depth > MAX_DEPTH) throw new PaymentInputError(path, `is deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      check(item, { path: pathOf(path, String(index)), place, depth: depth + 1 });
    return;
  }
  if (!isRecord(value)) {
    const found = OTHER_NUMBERS.has(place) ? null : secretIn(value);
    if (found !== null) throw new PaymentInputError(path, `looks like ${found}, ${AND_IS_STORED}`);
    return;
  }
  for (const [name, field] of Object.entries(value)) {
    const found = secretIn(name);
    if (found !== null)
      throw new PaymentInputError(`${path}.?`, `is called by what looks like ${found}, ${AND_IS_STORED}`);
    const within = pathOf(path, name);
    const what = NAMES.find(([names]) => names.test(bare(name)))?.[1];
    if (what !== undefined) throw new PaymentInputError(within, `is the name of ${what}, ${AND_IS_STORED}`);
    check(field, { path: within, place: place === '' ? name : `${place}.${name}`, depth: depth + 1 });
  }
}

function secretIn(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  if (holdsCardNumber(text)) return 'a card number';
  return TOKEN.test(text) ? 'a token' : null;
}

/** A field's name without what writers of names differ in. */
function bare(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '');
}
