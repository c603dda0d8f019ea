import { parseServiceReceipt, type ServiceReceipt } from '../../libs/payments/src/api/service-receipt.js';
import { formatAmount } from '../../libs/payments/src/common/money.js';
import type { SaidItem } from '../../libs/payments/src/receipts/receipt-from-wire.js';
import { itemTotalMinor } from '../../libs/payments/src/receipts/receipt-sums.js';
import { itemsToWire } from '../../libs/payments/src/receipts/receipt-to-wire.js';
import type { ReceiptItem } from '../../libs/payments/src/receipts/receipt.input.js';

export const rub = (value: string) => ({ value, currency: 'RUB' as const });
export const customer = { email: 'buyer@shop.example' };
export const cup: ReceiptItem = {
  description: 'Cup',
  amount: rub('1000.00'),
  quantity: 1,
  vatCode: 11,
  paymentMode: 'full_prepayment',
};

/** A receipt as it was sent. */
export interface Sent {
  readonly type?: 'payment' | 'refund';
  readonly of?: string;
  readonly by?: 'cashless' | 'prepayment';
  readonly status?: string;
  readonly items: readonly SaidItem[] | readonly ReceiptItem[];
  readonly [field: string]: unknown;
}

/** As the service answers it. */
export function sent({
  type = 'payment',
  of,
  by = 'cashless',
  status = 'succeeded',
  items,
  ...head
}: Sent): ServiceReceipt {
  const minor = items.reduce((sum, item) => sum + itemTotalMinor(item), 0);
  return parseServiceReceipt({
    ...head,
    id: `rt-${type}`,
    type,
    status,
    payment_id: 'p',
    ...(of !== undefined && { refund_id: of }),
    items: itemsToWire(items),
    settlements: [{ type: by, amount: formatAmount(minor) }],
  });
}
/** Of goods that were handed over. */
export const settled = (items: readonly SaidItem[], type: 'payment' | 'refund' = 'payment') =>
  sent({ type, by: 'prepayment', items });
