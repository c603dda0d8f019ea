import type { ReceiptListFilter } from '../../api/requests/list-filters.js';
import type { ListedReceipt } from './listed-receipt.js';
import type { ReceiptAccount } from './receipt-account.js';

/**
 * All receipts of a payment and its refunds. Whether the service's list of a payment has those of its refunds is not said: those of
 * a refund that it lacks are listed by themselves (assumed).
 */
export async function allReceipts(
  { serviceId, refunds }: Pick<ReceiptAccount, 'serviceId' | 'refunds'>,
  list: (filter: ReceiptListFilter) => Promise<readonly ListedReceipt[]>,
): Promise<ListedReceipt[]> {
  const all = [...(await list({ payment_id: serviceId }))];
  const shown = new Set(all.map(({ refundId }) => refundId));
  for (const { serviceId: refundId } of refunds)
    if (refundId !== null && !shown.has(refundId)) all.push(...(await list({ refund_id: refundId })));
  return all;
}
