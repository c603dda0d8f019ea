import { limits } from '../api/limits.js';
import { derivedKey } from '../common/derived.js';
import { isHoldPolicy, type HoldPolicy } from '../common/hold-policy.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import { intentKeyOf } from './intent-key.js';
import { fromMarkText, toMarkText } from './mark-text.js';

/**
 * What the mark in a payment's metadata at the service says: all that is needed to record the payment again where the database has
 * forgotten it, and the object does not say.
 */
export interface MarkedPayment extends Pick<
  PaymentsPaymentEntity,
  | 'tryNumber'
  | 'amountMinor'
  | 'capture'
  | 'cardData'
  | 'savePaymentMethod'
  | 'receiptsAfter'
  | 'method'
  | 'paymentMethodId'
  | 'receiptDigest'
  | 'prepaidMinor'
  | 'holdPolicy'
  | 'part'
> {
  readonly orderReference: string;
  readonly totalDueMinor: number;
}

/** Which try of an order's part a payment is: two of one try have one key. */
export type MarkedTry = Pick<MarkedPayment, 'orderReference' | 'part' | 'tryNumber'>;

const LONGEST = limits.metadataValueLength.value;
const VERSION = '1';
const SEPARATOR = '.';
/** Before the texts of any length, which come last. */
const FIELDS = 12;

/**
 * 421 characters at most, and one more for each digit before a separator and for each `~` in the host's own texts. Where an entry of
 * the metadata has no room for so many, the mark says nothing but that it is ours.
 */
export function paymentMark(storeId: string, marked: MarkedPayment): string {
  const { part, paymentMethodId, orderReference } = marked;
  const flags = [
    marked.capture ? 'c' : 'h',
    ...(marked.cardData ? ['d'] : []),
    ...(marked.savePaymentMethod ? ['s'] : []),
    ...(marked.receiptsAfter ? ['a'] : []),
  ];
  const said = [
    VERSION,
    marked.tryNumber,
    flags.join(''),
    marked.amountMinor,
    marked.totalDueMinor,
    marked.prepaidMinor,
    marked.method ?? '',
    marked.holdPolicy ?? '',
    marked.receiptDigest ?? '',
    part.length,
    paymentMethodId?.length ?? '',
    `${part}${paymentMethodId ?? ''}${orderReference}`,
  ].join(SEPARATOR);
  const proof = derivedKey(storeId, 'payment mark', said);
  const mark = toMarkText(`${proof}${SEPARATOR}${said}`);
  // By this one, a payment is still found whose answer was lost.
  return mark.length <= LONGEST ? mark : toMarkText(proof);
}

/** What a mark says; null if it is not one of this store in this database. */
export function readPaymentMark(storeId: string, mark: unknown): MarkedPayment | null {
  if (typeof mark !== 'string') return null;
  const fields = fromMarkText(mark).split(SEPARATOR);
  if (fields.length <= FIELDS) return null;
  const [, version, tried, flags = '', amount, total, prepaid, method, policy, digest, ofPart, ofSaved] =
    fields;
  if (version !== VERSION) return null;
  const texts = fields.slice(FIELDS).join(SEPARATOR);
  const partEnd = Number(ofPart);
  const savedEnd = partEnd + Number(ofSaved);
  const marked: MarkedPayment = {
    tryNumber: Number(tried),
    capture: flags.startsWith('c'),
    cardData: flags.includes('d'),
    savePaymentMethod: flags.includes('s'),
    receiptsAfter: flags.includes('a'),
    amountMinor: Number(amount),
    totalDueMinor: Number(total),
    prepaidMinor: Number(prepaid),
    method: method || null,
    holdPolicy: policyOf(policy),
    receiptDigest: digest || null,
    part: texts.slice(0, partEnd),
    paymentMethodId: ofSaved ? texts.slice(partEnd, savedEnd) : null,
    orderReference: texts.slice(savedEnd),
  };
  // Whatever somebody else has written there, it is ours only if it comes out the same.
  return paymentMark(storeId, marked) === mark ? marked : null;
}

/**
 * The other payment that a mark is of; null: it is of this one, or says nothing that can be read here, as where a profile or another
 * application has set none. A row's `service_id` may be forged, and what the service keeps of its object may not.
 */
export function markedAnother(
  { storeId, intentKey }: Pick<PaymentsPaymentEntity, 'storeId' | 'intentKey'>,
  mark: unknown,
): MarkedPayment | null {
  const marked = readPaymentMark(storeId, mark);
  if (marked === null) return null;
  const { orderReference: reference } = marked;
  return intentKeyOf(storeId, { reference }, marked) === intentKey ? null : marked;
}

/** Whether a mark is of that try. */
export function isSameTry(marked: MarkedTry | null, { orderReference, part, tryNumber }: MarkedTry): boolean {
  return marked?.orderReference === orderReference && marked.part === part && marked.tryNumber === tryNumber;
}

function policyOf(text: unknown): HoldPolicy | null {
  return isHoldPolicy(text) ? text : null;
}
