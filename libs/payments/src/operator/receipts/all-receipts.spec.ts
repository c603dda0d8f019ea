import { allReceipts } from './all-receipts.js';
import type { ListedReceipt } from './listed-receipt.js';

const receipt = (id: string, refundId: string | null): ListedReceipt => ({
  id,
  type: refundId === null ? 'payment' : 'refund',
  status: 'succeeded',
  paymentId: 'paid',
  refundId,
  totalMinor: 1,
  paidMinor: 1,
});
const refund = (serviceId: string | null) =>
  ({ id: 'ours', serviceId, status: 'succeeded', receiptStatus: null, amountMinor: 1 }) as const;

describe('all receipts of a payment', () => {
  it('are those of its list, and of each refund that the list lacks', async () => {
    const lists = new Map([
      ['{"payment_id":"paid"}', [receipt('sale', null), receipt('first', 'shown')]],
      ['{"refund_id":"other"}', [receipt('second', 'other')]],
    ]);
    const asked: string[] = [];
    const all = await allReceipts(
      { serviceId: 'paid', refunds: [refund('shown'), refund('other'), refund(null)] },
      (filter) => {
        asked.push(JSON.stringify(filter));
        return Promise.resolve(lists.get(JSON.stringify(filter)) ?? []);
      },
    );
    expect(all.map(({ id }) => id)).toEqual(['sale', 'first', 'second']);
    expect(asked).toEqual([...lists.keys()]);
  });
});
