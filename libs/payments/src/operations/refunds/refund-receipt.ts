import { formatAmount } from '../../common/money.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import type { RefundRequest } from '../../payment/refunds/decide-refund.js';
import { partOf } from '../../receipts/receipt-builder.js';
import { receiptFromWire } from '../../receipts/receipt-from-wire.js';
import { mustAddUp, receiptTotalMinor } from '../../receipts/receipt-sums.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import type { PaymentsPaymentEntity } from '../../schema/payment.entity.js';
import { bodyToSend } from '../personal-data.js';
import { receiptIn, type RecordedGoods } from '../receipts/named-goods.js';

type Paid = Pick<PaymentsPaymentEntity, 'amountMinor' | 'authorizedMinor' | 'capturedMinor' | 'currency'>;
type Asked = Pick<RefundRequest, 'receiptOf' | 'lines'>;

/**
 * The receipt of the lines that a refund gives back; null: it names none.
 * @throws PaymentInputError where less is left of them, or `receiptOf` is not of what was paid
 */
export function receiptOfLines(
  { receiptOf, lines }: Asked,
  paid: Paid,
  { returned }: RecordedGoods,
): ReceiptInput | null {
  return receiptOf && lines && partOf(asPaid(receiptOf, paid), { lines }, returned, '');
}

/**
 * The receipt of a sum that is given back; null: what was recorded does not say what it is of, or for whom.
 * @throws PaymentInputError where less is left of the goods, or `receiptOf` is not of what was paid
 */
export function receiptOfSum(
  { receiptOf }: Asked,
  amountMinor: number,
  paid: Paid,
  goods: RecordedGoods,
): ReceiptInput | null {
  const amount = formatAmount(amountMinor, paid.currency);
  if (receiptOf) return partOf(asPaid(receiptOf, paid), { amount }, goods.returned, '');
  const said = goods.receipt && receiptIn(bodyToSend(goods.receipt));
  if (said === null || goods.sold.length === 0) return null;
  try {
    return partOf(receiptFromWire({ ...said, items: goods.sold }), { amount }, goods.returned);
  } catch (error) {
    if (error instanceof PaymentInputError) return null;
    throw error;
  }
}

/** As it was registered: where the service has taken a discount off, the payment's is lowered. */
function asPaid(receipt: ReceiptInput, paid: Paid): ReceiptInput {
  const { amountMinor, authorizedMinor, capturedMinor, currency } = paid;
  const isDiscounted = capturedMinor === authorizedMinor && capturedMinor < amountMinor;
  if (isDiscounted && receiptTotalMinor(receipt) === amountMinor)
    return partOf(receipt, { amount: formatAmount(capturedMinor, currency) });
  mustAddUp(receipt, capturedMinor, 'receiptOf');
  return receipt;
}
