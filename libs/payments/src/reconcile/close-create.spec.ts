import {
  draftWith,
  facts,
  NOW,
  objectOf,
  operationRow,
  paymentRow,
  receiptRow,
  TERMS,
  told,
} from '../../../../test/support/state.js';
import type { Draft } from '../payment/draft.js';
import { owedKeys } from '../receipts/owed-keys.js';
import { closeCreate } from './close-create.js';

const operation = operationRow({ attempts: 2 });
const lost = draftWith(paymentRow({ status: 'submitting', serviceId: null }), { operations: [operation] });
const attempt = { id: operation.id, attempts: 2 };
const found = (fields: Parameters<typeof objectOf>[0] = {}) => ({ object: objectOf(fields), facts: facts() });
const nothing = { object: null, lastError: null };
const close = (before: Draft, seen: Parameters<typeof closeCreate>[2], of = attempt) =>
  closeCreate(before, of, seen, TERMS);

describe('a create whose answer was lost', () => {
  it('is confirmed by what the list shows', () => {
    const draft = close(lost, found({ status: 'waiting_for_capture' }));
    expect(draft.operations).toMatchObject([{ outcome: 'confirmed', settledAt: NOW }]);
    expect(draft.payment).toMatchObject({ status: 'waiting_for_capture', serviceId: objectOf().id });
    expect(draft.events).toMatchObject([{ cause: 'sweep', evidence: { source: 'list', attempts: 2 } }]);
  });

  it('stays open where what the list shows does not fit, and a person is told', () => {
    const draft = close(lost, found({ amountMinor: 1 }));
    expect(draft.operations).toEqual(lost.operations);
    expect(told(draft)).toEqual(['payment.anomaly']);
  });

  it('is over where the service has never received it', () => {
    const draft = close(lost, nothing);
    expect(draft.operations).toMatchObject([{ outcome: 'refused', settledAt: NOW, lastError: null }]);
    expect(draft.payment).toMatchObject({ status: 'rejected', updatedAt: NOW });
    expect(draft.events).toMatchObject([
      { name: 'payment.rejected', cause: 'sweep', evidence: { reason: 'never received', attempts: 2 } },
    ]);
  });

  it('keeps what the service has in its place', () => {
    const lastError = { code: 'service_key_reused' };
    expect(close(lost, { object: null, lastError }).operations).toMatchObject([{ lastError }]);
    const failed = { ...lost, operations: [{ ...operation, lastError }] };
    expect(close(failed, nothing).operations).toMatchObject([{ lastError }]);
  });

  it('owes no receipt any more', () => {
    const owed = {
      ...lost,
      payment: { ...lost.payment, receiptsAfter: true },
      receipts: [receiptRow({ status: 'owed', receiptKey: owedKeys.payment })],
    };
    expect(close(owed, nothing).receipts.map(({ status }) => status)).toEqual(['void']);
  });

  it.each<[string, Draft, typeof attempt]>([
    ['was sent again meanwhile', lost, { ...attempt, attempts: 1 }],
    ['was answered meanwhile', { ...lost, payment: paymentRow() }, attempt],
    ['is not there', lost, { ...attempt, id: 'another' }],
  ])('that %s is left as it is, whatever was found', (_what, before, of) => {
    expect(close(before, nothing, of)).toBe(before);
    expect(close(before, found(), of)).toBe(before);
  });

  it('that was closed meanwhile is told to a person where the service has it after all', () => {
    const closed = { ...lost, payment: { ...lost.payment, status: 'rejected' as const } };
    expect(told(close(closed, found()))).toEqual(['payment.anomaly']);
    expect(close(closed, nothing)).toBe(closed);
  });
});
