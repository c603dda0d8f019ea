import {
  draftWith,
  operationRow,
  paidRow,
  receiptObject,
  receiptRow,
  TERMS,
} from '../../../../../test/support/state.js';
import { adoptReceipts } from './receipt-adoption.js';

const paid = paidRow({ receiptsAfter: true });
const settled = { settledMinor: 10_000, settlementTypes: ['cashless'], status: 'succeeded' } as const;

describe('of what the service has of a payment', () => {
  it('a receipt without a row gets one, with the request that made it, which is over', () => {
    const { draft, count } = adoptReceipts(draftWith(paid), [receiptObject(settled)], TERMS);
    expect(count).toBe(1);
    expect(draft.receipts).toMatchObject([
      { receiptKey: 'auto:payment', serviceId: 'rt-1', status: 'succeeded', amountMinor: 10_000 },
    ]);
    expect(draft.operations).toMatchObject([
      { kind: 'receipt', receiptId: draft.receipts[0]?.id, outcome: 'confirmed', resendable: false },
    ]);
  });

  it('one that is recorded and was never sent, as far as its row knows, is that row from now on', () => {
    const row = receiptRow({ receiptKey: 'auto:payment' });
    const body = '{"settlements":[{"type":"cashless","amount":{"value":"100.00","currency":"RUB"}}]}';
    const unsent = operationRow({
      kind: 'receipt',
      receiptId: row.id,
      body,
      outcome: null,
      firstSentAt: null,
    });
    const before = draftWith(paid, { receipts: [row], operations: [unsent] });
    const { draft, count } = adoptReceipts(before, [receiptObject(settled)], TERMS);
    expect(count).toBe(1);
    expect(draft.receipts).toMatchObject([{ id: row.id, serviceId: 'rt-1', status: 'succeeded' }]);
    expect(draft.operations).toMatchObject([{ id: unsent.id, outcome: 'confirmed' }]);
  });

  it.each([
    ['is known', receiptRow({ serviceId: 'rt-1', status: 'succeeded' }), receiptObject(settled)],
    ['is being sent', receiptRow({}), receiptObject(settled)],
  ])('one that %s changes nothing', (_how, row, object) => {
    const before = draftWith(paid, { receipts: [row] });
    expect(adoptReceipts(before, [object], TERMS)).toEqual({ draft: before, count: 0 });
  });
});
