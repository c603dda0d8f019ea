import {
  draftWith,
  earlier,
  later,
  NOW,
  paidRow,
  paymentRow,
  problemRow,
  receiptObject,
  receiptRow,
  refundRow,
  told,
} from '../../../../../test/support/state.js';
import { owedKeys } from '../../receipts/owed-keys.js';
import type { Draft } from '../draft.js';
import {
  closeProblem,
  dropReceipt,
  OF_PAYMENT,
  openReceipt,
  rejectReceipt,
  reportMissing,
  reportReceipt,
  seeReceipt,
  submitReceipt,
} from './receipt-change.js';

const paid = draftWith(paidRow());
const refund = refundRow({ status: 'succeeded', serviceId: 'rf-1' });
const registration = { before: null, after: null, isLate: false, cause: 'sweep' } as const;
const problemOf = ({ problems }: Draft) =>
  problems.map(({ status, isOpen, since }) => [status, isOpen, since]);

describe('what became of the registration of a receipt', () => {
  it('is told once it succeeded, which closes what was wrong', () => {
    const draft = reportReceipt(paid, OF_PAYMENT, { ...registration, before: 'pending', after: 'succeeded' });
    expect(draft.events).toMatchObject([
      {
        name: 'receipt.succeeded',
        subject: { type: 'payment' },
        evidence: { refundId: null, receiptId: null },
      },
    ]);
    expect(draft.problems).toEqual([]);
    const late = { ...paid, problems: [problemRow({ status: 'pending' })] };
    const over = reportReceipt(late, OF_PAYMENT, { ...registration, before: 'pending', after: 'succeeded' });
    expect(over.problems).toMatchObject([{ status: 'succeeded', isOpen: false }]);
  });

  it('is a problem once it failed, which a person is told', () => {
    const draft = reportReceipt(paid, OF_PAYMENT, { ...registration, before: 'pending', after: 'canceled' });
    expect(told(draft)).toEqual(['receipt.failed']);
    expect(draft.events[0]?.alarm).toBe(
      `The receipt of payment ${paid.payment.id} of order "order-1" was not registered: it needs a person.`,
    );
    expect(problemOf(draft)).toEqual([['canceled', true, NOW]]);
  });

  it('is a problem while it takes too long, told once', () => {
    const late = { ...registration, before: 'pending', after: 'pending', isLate: true } as const;
    const draft = reportReceipt(paid, OF_PAYMENT, late);
    expect(told(draft)).toEqual(['receipt.late']);
    expect(draft.events[0]?.notice).toContain('is still not registered.');
    expect(problemOf(draft)).toEqual([['pending', true, NOW]]);
    expect(told(reportReceipt({ ...draft, events: [] }, OF_PAYMENT, late))).toEqual([]);
    expect(reportReceipt(paid, OF_PAYMENT, { ...late, isLate: false })).toBe(paid);
  });

  it.each(['succeeded', 'canceled'] as const)('is no news where it was %s before', (status) => {
    expect(reportReceipt(paid, OF_PAYMENT, { ...registration, before: status, after: status })).toBe(paid);
  });

  it('is seen once where a person has resolved it, and again where another one fails', () => {
    const resolved = { ...paid, problems: [problemRow({ status: 'canceled', isOpen: false })] };
    const failed = reportReceipt(resolved, OF_PAYMENT, {
      ...registration,
      before: 'pending',
      after: 'canceled',
    });
    expect(problemOf(failed)).toEqual([['canceled', true, NOW]]);
    const open = { ...paid, problems: [problemRow({ status: 'canceled', since: earlier(5) })] };
    const again = reportReceipt(open, OF_PAYMENT, { ...registration, before: 'pending', after: 'canceled' });
    expect(problemOf(again)).toEqual([['canceled', true, earlier(5)]]);
  });

  it.each([
    [
      { refundId: 'refund', receiptId: null },
      { type: 'refund', id: 'refund' },
      'of refund refund of payment',
    ],
    [
      { refundId: 'refund', receiptId: 'receipt' },
      { type: 'receipt', id: 'receipt' },
      'sent by itself (receipt)',
    ],
  ])('is told of whose it is: %j', (whose, subject, words) => {
    const draft = reportReceipt(paid, whose, { ...registration, after: 'canceled' });
    expect(draft.events).toMatchObject([{ subject, evidence: whose }]);
    expect(draft.events[0]?.alarm).toContain(words);
    expect(draft.problems).toMatchObject([whose]);
  });

  it('keeps problems of other receipts as they are', () => {
    const other = problemRow({ refundId: 'other' });
    const draft = reportReceipt({ ...paid, problems: [other] }, OF_PAYMENT, {
      ...registration,
      after: 'canceled',
    });
    expect(draft.problems).toMatchObject([other, { refundId: null }]);
  });
});

describe('a receipt that nobody has said', () => {
  it('is missing, told once', () => {
    const draft = reportMissing(paid, null, 'sweep');
    expect(told(draft)).toEqual(['receipt.failed']);
    expect(draft.events[0]?.alarm).toContain('is missing: its money was moved elsewhere');
    expect(problemOf(draft)).toEqual([['missing', true, NOW]]);
    expect(reportMissing({ ...draft, events: [] }, null, 'sweep').events).toEqual([]);
    expect(reportMissing(draft, 'refund', 'sweep').problems).toHaveLength(2);
  });

  it('is there once one of its sum was sent by itself', () => {
    const missing = { ...paid, problems: [problemRow()] };
    const sent = receiptRow();
    const succeeded = receiptObject({ status: 'succeeded' });
    const seen = { isLate: false, cause: 'sweep' } as const;
    const see = (draft: Draft, receipt = sent) =>
      seeReceipt({ ...draft, receipts: [receipt] }, receipt, succeeded, seen).problems[0]?.isOpen;
    expect(see(missing)).toBe(false);
    expect(see(missing, receiptRow({ amountMinor: 9_999 }))).toBe(true);
    expect(see(missing, receiptRow({ type: 'refund' }))).toBe(true);
    const ofRefund = { ...paid, refunds: [refund], problems: [problemRow({ refundId: refund.id })] };
    const back = receiptRow({ type: 'refund', refundId: refund.id, amountMinor: 3_000 });
    expect(see(ofRefund, back)).toBe(false);
    expect(see(ofRefund, { ...back, amountMinor: 2_999 })).toBe(true);
    expect(see({ ...paid, problems: [problemRow({ status: 'canceled' })] })).toBe(true);
  });
});

describe('a problem that nobody needs to solve any more', () => {
  it('is closed, which is told', () => {
    const open = { ...paid, problems: [problemRow()] };
    const draft = closeProblem(open, OF_PAYMENT, 'sweep');
    expect(told(draft)).toEqual(['receipt.not_needed']);
    expect(draft.problems).toMatchObject([{ isOpen: false, status: 'missing' }]);
    expect(closeProblem(draft, OF_PAYMENT, 'sweep')).toBe(draft);
    expect(closeProblem(paid, OF_PAYMENT, 'sweep')).toBe(paid);
  });
});

describe('a receipt that is sent by itself', () => {
  const kept = { status: 'owed', body: '{}', personal: '{}' } as const;
  const owed = receiptRow({ ...kept, receiptKey: owedKeys.payment });
  const owing = draftWith(paidRow(), { receipts: [owed] });

  it('is opened with the id that its payment and key have', () => {
    const said = { ...kept, refundId: null, receiptKey: 'one', type: 'payment', amountMinor: 1 } as const;
    const [one] = openReceipt(paid, said).receipts;
    expect(one).toMatchObject({
      ...said,
      serviceId: null,
      askedDigest: null,
      createdAt: NOW,
      updatedAt: NOW,
      currency: 'RUB',
    });
    expect(openReceipt(openReceipt(paid, said), { ...said, amountMinor: 2 }).receipts).toHaveLength(1);
    expect(openReceipt(openReceipt(paid, said), { ...said, receiptKey: 'two' }).receipts).toHaveLength(2);
  });

  it('gives what it says to its operation, and forgets it where it is not owed', () => {
    const forgotten = { body: null, personal: null, updatedAt: NOW };
    expect(submitReceipt(owing, owed).receipts).toMatchObject([{ ...forgotten, status: 'submitting' }]);
    expect(dropReceipt(owing, owed).receipts).toMatchObject([{ ...forgotten, status: 'void' }]);
  });

  const sent = receiptRow();
  const sending = draftWith(paidRow(), { receipts: [sent] });
  const see = (draft: Draft, status: 'pending' | 'succeeded' | 'canceled' | null, isLate = false) =>
    seeReceipt(draft, draft.receipts[0] ?? sent, receiptObject({ status }), { isLate, cause: 'sweep' });

  it.each([
    [null, 'pending', []],
    ['pending', 'pending', []],
    ['succeeded', 'succeeded', ['receipt.succeeded']],
    ['canceled', 'canceled', ['receipt.failed']],
  ] as const)('is what the service says: %s', (said, status, events) => {
    const draft = see(sending, said);
    expect(draft.receipts).toMatchObject([
      { status, serviceId: 'rt-1', object: { id: 'rt-1' }, updatedAt: NOW },
    ]);
    expect(told(draft)).toEqual(events);
  });

  it('stays as it ended, whatever an older answer says', () => {
    const over = draftWith(paidRow(), { receipts: [receiptRow({ status: 'succeeded', serviceId: 'rt-1' })] });
    expect(see(over, 'pending')).toBe(over);
    expect(see(over, 'canceled')).toBe(over);
  });

  it('is late where it is pending for too long', () => {
    const pending = draftWith(paidRow(), { receipts: [receiptRow({ status: 'pending' })] });
    const draft = see(pending, 'pending', true);
    expect(told(draft)).toEqual(['receipt.late']);
    expect(draft.receipts).toEqual(pending.receipts);
  });

  it('that failed and is not needed any more is no problem', () => {
    const released = draftWith(paymentRow({ status: 'canceled' }), {
      receipts: [receiptRow({ receiptKey: owedKeys.payment, status: 'pending' })],
    });
    expect(told(see(released, 'canceled'))).toEqual([]);
    expect(see(released, 'canceled').receipts).toMatchObject([{ status: 'canceled' }]);
    const refused = draftWith(paymentRow({ status: 'canceled' }), {
      receipts: [receiptRow({ receiptKey: owedKeys.payment })],
    });
    const draft = rejectReceipt(refused, refused.receipts[0] ?? sent, 'sweep');
    expect([told(draft), draft.receipts[0]?.status]).toEqual([[], 'rejected']);
  });

  it('is refused once, and a problem', () => {
    const draft = rejectReceipt(sending, sent, 'receipt');
    expect(draft.receipts).toMatchObject([{ status: 'rejected', updatedAt: NOW }]);
    expect(draft.events).toMatchObject([{ name: 'receipt.failed', cause: 'receipt' }]);
    expect(draft.problems).toMatchObject([{ status: 'canceled', receiptId: sent.id, isOpen: true }]);
    const pending = receiptRow({ status: 'pending' });
    expect(rejectReceipt(sending, pending, 'receipt')).toBe(sending);
  });

  it('moves its time with it', () => {
    const draft = { ...sending, now: later(5) };
    expect(see(draft, 'pending').receipts).toMatchObject([{ updatedAt: later(5) }]);
  });
});
