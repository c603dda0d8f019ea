import { parseRequest } from '../../api/requests/parse-request.js';
import { formatAmount, type Amount } from '../../common/money.js';
import { PaymentInputError } from '../../common/payments.errors.js';
import type { StoreScope } from '../../common/store.scope.js';
import type { Database } from '../../database/database.js';
import { bodyToSend } from '../../operations/personal-data.js';
import { namedGoods, receiptIn, type RecordedGoods } from '../../operations/receipts/named-goods.js';
import { receiptOfLines } from '../../operations/refunds/refund-receipt.js';
import { findPayment } from '../../payment/payment.reader.js';
import { AreLines, type ReceiptLines } from '../../receipts/builder.input.js';
import { leftOf } from '../../receipts/left-of.js';
import { quantityOf } from '../../receipts/quantity.js';
import { receiptFromWire } from '../../receipts/receipt-from-wire.js';
import { receiptTotalMinor } from '../../receipts/receipt-sums.js';
import type { ReceiptInput } from '../../receipts/receipt.input.js';
import { PaymentsRefundEntity } from '../../schema/refund.entity.js';
import type { StoreRegistry } from '../../stores/store.registry.js';

/** One item of a payment's receipt, and what of it was not given back. */
export interface PaidItem {
  /** Its place on the receipt, from 0: for `lines` of a refund. */
  readonly line: number;
  readonly description: string;
  /** Of one unit. */
  readonly price: Amount;
  readonly quantity: number;
  /** Units that no refund gives back, refunds on their way included. */
  readonly quantityLeft: number;
  /** What those are worth by now, money that was given back without goods taken off. */
  readonly left: Amount;
}

/** What a payment has paid for, by the receipt that was recorded with it. */
export interface PaidGoods {
  /** In the order of the receipt. */
  readonly items: readonly PaidItem[];
  /** The receipt, for `receiptOf` of a refund. It says who got it. null: that is not kept any more. */
  readonly receipt: ReceiptInput | null;
  /**
   * What a refund of these lines gives back, by what is left as it was read.
   * @throws PaymentInputError for what is no lines, where less is left of one, or where `receipt` is null
   */
  worthOf(lines: ReceiptLines): Amount;
}

class WorthShape {
  @AreLines()
  readonly lines!: ReceiptLines;
}

/**
 * null: no receipt was recorded.
 * @throws PaymentNotFoundError
 */
export async function paidGoodsOf(
  database: Database,
  stores: StoreRegistry,
  paymentId: string,
  scope: StoreScope,
): Promise<PaidGoods | null> {
  const { payment } = await findPayment(database, stores, paymentId, scope);
  const goods = await database.read(async (from) =>
    namedGoods(from, payment, await from.findBy(PaymentsRefundEntity, { paymentId })),
  );
  if (goods.sold.length === 0) return null;
  const receipt = receiptOf(goods);
  return {
    items: itemsLeft(goods, payment.currency),
    receipt,
    worthOf(asked) {
      const { lines } = parseRequest(WorthShape, { lines: asked });
      const given = receipt && receiptOfLines({ receiptOf: receipt, lines }, payment, goods);
      if (given === null) throw new PaymentInputError('receipt', 'is not kept any more');
      return formatAmount(receiptTotalMinor(given), payment.currency);
    },
  };
}

function itemsLeft({ sold, returned }: RecordedGoods, currency: Amount['currency']): PaidItem[] {
  const left = new Map(leftOf(sold, returned).map((one) => [one.item, one]));
  return sold.map((item, line) => {
    const { thousandths = 0, sumMinor = 0 } = left.get(item) ?? {};
    return {
      line,
      description: item.description,
      price: item.amount,
      quantity: Number(item.quantity),
      quantityLeft: quantityOf(thousandths),
      left: formatAmount(sumMinor, currency),
    };
  });
}

function receiptOf({ receipt, sold }: RecordedGoods): ReceiptInput | null {
  const said = receipt && receiptIn(bodyToSend(receipt));
  if (said === null) return null;
  try {
    return receiptFromWire({ ...said, items: sold });
  } catch (error) {
    // Its contact was erased, or the rules of inputs were others on its day.
    if (error instanceof PaymentInputError) return null;
    throw error;
  }
}
