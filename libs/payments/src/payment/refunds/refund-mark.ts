import { derivedKey } from '../../common/derived.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import type { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import { fromMarkText, toMarkText } from '../mark-text.js';

/** What the mark in a refund's metadata at the service says: what is needed to record the refund again. */
export type MarkedRefund = Pick<PaymentsRefundEntity, 'whole' | 'receiptDigest'> & {
  readonly refundKey: string;
};

const VERSION = '1';
const SEPARATOR = '.';
/** Before the caller's key, which may contain anything. */
const FIELDS = 4;

export function refundMark(
  { intentKey }: Pick<PaymentsPaymentEntity, 'intentKey'>,
  { whole, receiptDigest, refundKey }: MarkedRefund,
): string {
  const said = [VERSION, whole ? 'w' : 'p', receiptDigest ?? '', refundKey].join(SEPARATOR);
  return toMarkText(`${derivedKey(intentKey, 'refund mark', said)}${SEPARATOR}${said}`);
}

/** What a mark says; null if it is not one of a refund of ours of this payment. */
export function readRefundMark(
  payment: Pick<PaymentsPaymentEntity, 'intentKey'>,
  mark: unknown,
): MarkedRefund | null {
  if (typeof mark !== 'string') return null;
  const fields = fromMarkText(mark).split(SEPARATOR);
  const [, version, whole, digest] = fields;
  if (version !== VERSION || fields.length <= FIELDS) return null;
  const marked: MarkedRefund = {
    whole: whole === 'w',
    receiptDigest: digest || null,
    refundKey: fields.slice(FIELDS).join(SEPARATOR),
  };
  return refundMark(payment, marked) === mark ? marked : null;
}
