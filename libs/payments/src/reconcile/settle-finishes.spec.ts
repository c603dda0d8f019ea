import {
  draftWith,
  earlier,
  heldRow,
  later,
  NOW,
  operationRow,
  paidRow,
  paymentRow,
  told,
} from '../../../../test/support/state.js';
import { CANCEL_BODY, captureBody } from '../operations/request-body.js';
import { settleFinishes } from './settle-finishes.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const capture = operationRow({ kind: 'capture', ...captureBody(10_000, 'RUB'), id: 'capture', attempts: 2 });
const cancel = operationRow({ kind: 'cancel', ...CANCEL_BODY, id: 'cancel' });
const old = {
  recordedAt: earlier(2 * DAY_MS),
  firstSentAt: earlier(2 * DAY_MS),
  lastSentAt: earlier(2 * DAY_MS),
};
const settle = (
  draft: ReturnType<typeof draftWith>,
  over: readonly { id: string; attempts: number; leaseUntil: Date | null }[] = [],
  keyUsedMs = 0,
) => settleFinishes(draft, { askedAt: NOW, over }, () => keyUsedMs);

describe('a capture or cancel whose answer was lost, after a re-read', () => {
  it.each([
    ['a capture of what was captured', paidRow(), capture],
    ['a cancel of what is canceled', paymentRow({ status: 'canceled' }), cancel],
  ])('is confirmed: %s', (_what, payment, operation) => {
    const { draft, lookAt } = settle(draftWith(payment, { operations: [operation] }));
    expect(draft.operations).toMatchObject([{ outcome: 'confirmed', leaseUntil: null, settledAt: NOW }]);
    expect([told(draft), lookAt]).toEqual([[], null]);
  });

  it.each([
    [
      'a cancel of what was captured',
      paidRow(),
      cancel,
      'the cancel did not take effect; the payment is succeeded, with 100.00 captured',
    ],
    [
      'a capture of what is canceled',
      paymentRow({ status: 'canceled' }),
      capture,
      'the capture did not take effect; the payment is canceled',
    ],
  ])('is refused, and told to a person: %s', (_what, payment, operation, reason) => {
    const { draft } = settle(draftWith(payment, { operations: [operation] }));
    expect(draft.operations).toMatchObject([{ outcome: 'refused', settledAt: NOW }]);
    expect(draft.events).toMatchObject([
      { name: 'payment.anomaly', cause: operation.kind, evidence: { reason } },
    ]);
  });

  it('is refused where its key is too old and nothing of that very attempt can arrive any more', () => {
    const draft = draftWith(heldRow(), { operations: [{ ...capture, ...old }] });
    const over = { id: 'capture', attempts: 2, leaseUntil: null };
    expect(settle(draft, [over]).draft.operations).toMatchObject([{ outcome: 'refused' }]);
    for (const other of [
      { ...over, attempts: 1 },
      { ...over, id: 'cancel' },
    ]) {
      const { draft: open, lookAt } = settle(draft, [other]);
      expect(open.operations).toEqual(draft.operations);
      expect(lookAt).toEqual(later(MINUTE_MS));
    }
  });

  it('is only looked up where this process has known its key for a day, whatever the row says', () => {
    const draft = draftWith(heldRow(), { operations: [capture] });
    expect(settle(draft).lookAt).toBeNull();
    expect(settle(draft, [], DAY_MS).lookAt).toEqual(later(MINUTE_MS));
  });

  it('is looked at when its recorder said, where it was never sent', () => {
    const unsent = { ...capture, ...old, attempts: 0 };
    const { draft, lookAt } = settle(draftWith(heldRow(), { operations: [unsent] }));
    expect([draft.operations, lookAt]).toEqual([[unsent], null]);
  });

  it('says nothing of what is over, nor of creates, refunds and receipts', () => {
    const others = [
      { ...capture, outcome: 'refused' as const },
      operationRow({ id: 'create' }),
      operationRow({ id: 'refund', kind: 'refund' }),
      operationRow({ id: 'receipt', kind: 'receipt' }),
    ];
    const before = draftWith(paymentRow({ status: 'canceled' }), { operations: others });
    expect(settle(before)).toEqual({ draft: before, lookAt: null });
  });
});
