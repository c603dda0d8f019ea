import { parseServiceReceipt } from '../api/service-receipt.js';
import type { OwnReceiptStatus } from './own-receipt.js';
import { receiptsInOrder } from './receipts-in-order.js';

const listed = (id: string, status = 'succeeded', of: object = {}) =>
  parseServiceReceipt({ id, type: 'payment', status, ...of });
const own = (id: string, seconds: number, status: OwnReceiptStatus, serviceId: string | null = null) => ({
  id,
  serviceId,
  status,
  createdAt: new Date(seconds * 1000),
});
const sent = (receiptId: string) => ({ receiptId, body: JSON.stringify({ type: 'payment' }) });
const byHand = (receiptId: string | null, refundId: string | null = null) =>
  ({ receiptId, refundId, status: 'canceled', resolution: {} }) as const;
const nothing = { receipts: [], refunds: [], operations: [], problems: [] };
const words = (...given: Parameters<typeof receiptsInOrder>) =>
  receiptsInOrder(...given).map(({ id, status }) => `${id} ${status}`);

describe('the receipts of a payment', () => {
  it('are those that the service lists and those that it refused, each at its time', () => {
    const receipts = [own('a', 1, 'succeeded', 'rt-a'), own('b', 2, 'rejected'), own('c', 4, 'rejected')];
    const refunds = [own('r', 3, 'succeeded', 'rf')];
    const operations = ['a', 'b', 'c'].map(sent);
    const there = [listed('rt-sale'), listed('rt-a'), listed('rt-r', 'succeeded', { refund_id: 'rf' })];
    const order = ['rt-sale succeeded', 'rt-a succeeded', 'b canceled', 'rt-r succeeded', 'c canceled'];
    const known = { ...nothing, receipts, refunds, operations };
    expect(words(there, known)).toEqual(order);
    expect(words(there, { ...known, problems: [byHand('c')] }).at(-1)).toBe('c succeeded');
  });

  it('are registered where they were made by hand, each by its own problem', () => {
    const receipts = [own('a', 1, 'canceled', 'rt-a')];
    const refunds = [own('r', 2, 'succeeded', 'rf')];
    const there = [
      listed('rt-sale', 'canceled'),
      listed('rt-a', 'canceled'),
      listed('rt-r', 'canceled', { refund_id: 'rf' }),
      listed('rt-x', 'canceled', { refund_id: 'not ours' }),
    ];
    const made = (problem: ReturnType<typeof byHand>) =>
      words(there, { ...nothing, receipts, refunds, problems: [problem] }).filter((one) =>
        one.endsWith('succeeded'),
      );
    expect(made(byHand(null))).toEqual(['rt-sale succeeded']);
    expect(made(byHand('a'))).toEqual(['rt-a succeeded']);
    expect(made(byHand(null, 'r'))).toEqual(['rt-r succeeded']);
  });
});
