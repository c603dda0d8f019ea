import { ReceiptKeyReusedError } from '../../common/payments.errors.js';
import type { Reader } from '../../database/database.js';
import { latestOf } from '../../receipts/owed-keys.js';
import { PaymentsReceiptEntity } from '../../schema/receipt.entity.js';

/**
 * The last attempt of the receipt that a caller's key names; null: there is none.
 * @throws ReceiptKeyReusedError if something else was asked for under this key
 */
export async function receiptUnder(
  from: Reader,
  paymentId: string,
  { receiptKey, askedDigest }: Pick<PaymentsReceiptEntity, 'receiptKey' | 'askedDigest'>,
): Promise<PaymentsReceiptEntity | null> {
  const known = latestOf(await receiptsOf(from, paymentId), receiptKey) ?? null;
  if (known !== null && known.askedDigest !== askedDigest)
    throw new ReceiptKeyReusedError(paymentId, receiptKey);
  return known;
}

/** All of a payment that are sent by themselves, oldest first. */
export function receiptsOf(from: Reader, paymentId: string): Promise<PaymentsReceiptEntity[]> {
  return from.find(PaymentsReceiptEntity, { where: { paymentId }, order: { createdAt: 'ASC', id: 'ASC' } });
}
