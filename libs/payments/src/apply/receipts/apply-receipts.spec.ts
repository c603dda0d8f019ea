import {
  draftWith,
  earlier,
  NOW,
  operationRow,
  paidRow,
  receiptObject,
  receiptRow,
  told,
} from '../../../../../test/support/state.js';
import type { State } from '../../payment/state.js';
import { applyReceipts, type SeenReceipt } from './apply-receipts.js';

const receipt = receiptRow();
const operation = operationRow({ kind: 'receipt', receiptId: receipt.id, attempts: 2 });
const other = operationRow({ id: 'other', receiptId: 'other' });
const before = (fields: Partial<State> = {}) =>
  draftWith(paidRow(), { receipts: [receipt], operations: [other, operation], ...fields });
const seen = (fields: Partial<SeenReceipt> = {}): SeenReceipt => ({
  receiptId: receipt.id,
  object: receiptObject({ status: 'succeeded' }),
  attempts: null,
  ...fields,
});
const apply = (draft: ReturnType<typeof before>, ...all: SeenReceipt[]) =>
  applyReceipts(draft, all, 'sweep', 3_600_000);

describe('a receipt that was sent by itself', () => {
  it('is as the service has it, and its operation was answered before', () => {
    const { draft, anomalies } = apply(before(), seen());
    expect(draft.receipts).toMatchObject([{ status: 'succeeded', serviceId: 'rt-1', updatedAt: NOW }]);
    expect(draft.operations).toEqual([other, operation]);
    expect(told(draft)).toEqual(['receipt.succeeded']);
    expect(anomalies).toEqual([]);
  });

  it('whose answer was lost is confirmed', () => {
    const { draft } = apply(before(), seen({ attempts: 2 }));
    expect(draft.receipts).toMatchObject([{ status: 'succeeded' }]);
    expect(draft.operations).toMatchObject([other, { outcome: 'confirmed', settledAt: NOW }]);
  });

  it('that the service never received was not made, and a person learns of that', () => {
    const lost = seen({ object: null, attempts: 2 });
    const { draft, anomalies } = apply(before(), lost);
    expect(draft.receipts).toMatchObject([{ status: 'rejected' }]);
    expect(draft.operations).toMatchObject([other, { outcome: 'refused', settledAt: NOW }]);
    expect(anomalies).toEqual(['the service has never received its receipt receipt']);
    const second = receiptRow({ id: 'second', receiptKey: 'second' });
    const both = before({
      receipts: [receipt, second],
      operations: [operation, operationRow({ id: 'o2', receiptId: 'second', attempts: 2 })],
    });
    expect(apply(both, lost, { ...lost, receiptId: 'second' }).anomalies).toEqual([
      'the service has never received its receipt receipt',
      'the service has never received its receipt second',
    ]);
  });

  it.each([
    ['was sent again meanwhile', { ...operation, attempts: 3 }],
    ['was answered meanwhile', { ...operation, settledAt: earlier(5) }],
  ])('is left alone if it %s', (_how, meanwhile) => {
    const draft = before({ operations: [other, meanwhile] });
    expect(apply(draft, seen({ attempts: 2 }))).toEqual({ draft, anomalies: [] });
    expect(apply(draft, seen({ object: null, attempts: 2 }))).toEqual({ draft, anomalies: [] });
    expect(apply(draft, seen()).draft.receipts).toMatchObject([{ status: 'succeeded' }]);
  });

  it('is late where it is on its way for too long', () => {
    const under = seen({ object: receiptObject() });
    expect(
      told(apply(before({ receipts: [receiptRow({ updatedAt: earlier(3_599_999) })] }), under).draft),
    ).toEqual([]);
    expect(
      told(apply(before({ receipts: [receiptRow({ updatedAt: earlier(3_600_000) })] }), under).draft),
    ).toEqual(['receipt.late']);
  });

  it('is one of the payment, with its operation', () => {
    const message = `There is no receipt ${receipt.id} of payment ${before().payment.id}.`;
    expect(() => apply(before({ receipts: [] }), seen())).toThrow(message);
    expect(() => apply(before({ operations: [other] }), seen())).toThrow(message);
  });
});
