import { PaymentInputError } from '../../common/payments.errors.js';
import { owedBody } from '../../receipts/owed-body.js';
import { latestOf, owedKeys } from '../../receipts/owed-keys.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import type { PaymentRow } from '../../schema/rows.js';
import { recordedBody, type RecordedBody } from '../personal-data.js';
import type { GoodsRecords } from './named-goods.js';

/** Whether the payment has receipts that the module sends. */
export function hasOwedReceipts({
  receiptsAfter,
  receiptDigest,
}: Pick<PaymentRow, 'receiptsAfter' | 'receiptDigest'>): boolean {
  return receiptsAfter && receiptDigest !== null;
}

/**
 * What the receipt of a refund says: the given one, or for the whole payment what the payment's says; null: nothing was said of that.
 * @throws PaymentInputError if the contact of the payment's is not kept any more
 */
export function saidOfRefund(
  receipt: ReceiptInput | null,
  { receipts, operations }: GoodsRecords,
): RecordedBody | null {
  if (receipt) return recordedBody(owedBody('refund', receipt));
  const sent = receipts.filter(({ status }) => status !== 'owed' && status !== 'void');
  const base = latestOf(sent, owedKeys.capture) ?? latestOf(sent, owedKeys.payment);
  const operation = base && operations.find(({ receiptId }) => receiptId === base.id);
  if (!operation) return null;
  const { body, personal } = operation;
  if (personal === null)
    throw new PaymentInputError(
      'receipt',
      'is required: the contact of the payment’s receipt is not kept any more',
    );
  return { body, personal };
}
