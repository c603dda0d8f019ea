import {
  draftWith,
  heldRow,
  later,
  NOW,
  operationRow,
  paidRow,
  paymentRow,
  receiptRow,
  TERMS,
} from '../../../../test/support/state.js';
import {
  OperationInProgressError,
  PaymentInputError,
  PaymentNotHeldError,
} from '../common/payments.errors.js';
import type { Draft } from '../payment/draft.js';
import { owedKeys } from '../receipts/owed-keys.js';
import type { ReceiptInput } from '../receipts/receipt.input.js';
import { decideFinish, finishOf, WHOLE_CAPTURE, type FinishRequest } from './decide-finish.js';
import type { RequestTerms } from './request-terms.js';

const caller = { leaseMs: 60_000, callDeadlineMs: 30_000 };
const part = (value: string): FinishRequest & { kind: 'capture' } => ({
  kind: 'capture',
  amount: { value, currency: 'RUB' },
  airline: null,
  receipt: null,
  extra: {},
  keepsDue: false,
});
const decide = (before: Draft, request: FinishRequest, fields: Partial<RequestTerms> = {}) =>
  decideFinish(before, request, { profile: TERMS.profile, fiscalization: null, caller, ...fields });
const held = draftWith(heldRow());
const asRecorded = ({ draft }: ReturnType<typeof decide>): Draft => draft ?? held;

const cup: ReceiptInput = {
  customer: { email: 'anna@buyer.example' },
  items: [{ description: 'Cup', amount: { value: '60.00', currency: 'RUB' }, quantity: 1, vatCode: 11 }],
};

describe('a capture or cancel of a hold', () => {
  it.each<[string, FinishRequest, string]>([
    ['a cancel', { kind: 'cancel' }, '{}'],
    ['a whole capture', WHOLE_CAPTURE, '{"amount":{"value":"100.00","currency":"RUB"}}'],
    ['a part', part('60.00'), '{"amount":{"value":"60.00","currency":"RUB"}}'],
  ])('is recorded as its caller sends it: %s', (_what, request, body) => {
    const { operation, draft, isAnew } = decide(held, request);
    expect(operation).toMatchObject({ kind: request.kind, body, outcome: 'unknown', attempts: 1 });
    expect(draft?.operations).toEqual([operation]);
    expect(draft?.wanted).toMatchObject({ at: later(30_000), isUrgent: false });
    expect(draft?.payment).toEqual(held.payment);
    expect(isAnew).toBe(false);
  });

  it('is recorded for the sweep, which sends it at once', () => {
    const { operation, draft } = decide(held, WHOLE_CAPTURE, { caller: null });
    expect(operation).toMatchObject({ outcome: null, attempts: 0, leaseUntil: null, firstSentAt: null });
    expect(draft?.wanted).toMatchObject({ at: NOW, isUrgent: true });
  });

  it('is the one that is in progress, or done, where it says the same', () => {
    for (const request of [WHOLE_CAPTURE, part('60.00'), { kind: 'cancel' } as const]) {
      const { operation, draft } = decide(held, request);
      const again = decide(draft ?? held, request);
      expect(again).toEqual({ operation, draft: null, isAnew: false });
    }
    const done = draftWith(paidRow(), { operations: asRecorded(decide(held, WHOLE_CAPTURE)).operations });
    expect(decide(done, part('100.00')).draft).toBeNull();
  });

  it('is refused by name while another one is in progress', () => {
    const capturing = asRecorded(decide(held, part('60.00')));
    for (const request of [WHOLE_CAPTURE, { kind: 'cancel' } as const])
      expect(() => decide(capturing, request)).toThrow(OperationInProgressError);
  });

  it('is asked anew, under another key, after one that was refused', () => {
    const [first] = asRecorded(decide(held, WHOLE_CAPTURE)).operations;
    const refused = { ...operationRow(first), outcome: 'refused' as const };
    const { operation, draft } = decide(draftWith(heldRow(), { operations: [refused] }), WHOLE_CAPTURE);
    expect(draft?.operations).toHaveLength(2);
    expect(operation.idempotenceKey).not.toBe(refused.idempotenceKey);
  });

  it.each([paymentRow(), paidRow(), paymentRow({ status: 'canceled' })])(
    'is refused for what is no hold',
    (payment) => {
      for (const request of [WHOLE_CAPTURE, { kind: 'cancel' } as const])
        expect(() => decide(draftWith(payment), request)).toThrow(PaymentNotHeldError);
    },
  );

  it('takes no more than is held', () => {
    expect(() => decide(held, part('100.01'))).toThrow(PaymentInputError);
  });

  it('says what becomes of the rest, and is another one where it says another thing of that', () => {
    const keeping = { ...part('60.00'), keepsDue: true };
    const { draft } = decide(held, keeping);
    expect(draft?.payment.keepsDue).toBe(true);
    expect(() => decide(draft ?? held, part('60.00'))).toThrow(OperationInProgressError);
    expect(decide(draft ?? held, keeping).draft).toBeNull();
    const whole = decide(held, { ...part('100.00'), keepsDue: true });
    expect(whole.draft?.payment.keepsDue).toBe(false);
    // That of a part that was refused is forgotten by the next.
    const refused = draftWith(heldRow({ keepsDue: true }));
    expect(decide(refused, part('60.00')).draft?.payment.keepsDue).toBe(false);
    expect(decide(refused, { kind: 'cancel' }).draft?.payment.keepsDue).toBe(true);
  });

  it('needs the goods of a part where receipts are required', () => {
    const fiscalization = {
      register: 'third_party',
      scenario: 'with_payment',
      requireReceipt: true,
    } as const;
    expect(() => decide(held, part('60.00'), { fiscalization })).toThrow(PaymentInputError);
    expect(decide(held, { ...part('60.00'), receipt: cup }, { fiscalization }).operation.body).toContain(
      'Cup',
    );
    // What is over asks for nothing.
    const { draft } = decide(held, part('60.00'));
    const done = draftWith(paidRow({ capturedMinor: 6_000 }), { operations: draft?.operations ?? [] });
    expect(decide(done, part('60.00'), { fiscalization }).draft).toBeNull();
  });
});

describe('the receipt of a part, where receipts follow the money', () => {
  const after = heldRow({ receiptsAfter: true });
  const request = { ...part('60.00'), receipt: cup };

  it('is kept until the part is captured, and not sent with it', () => {
    const { operation, draft } = decide(draftWith(after), request);
    expect(operation.body).not.toContain('Cup');
    expect(draft?.receipts).toMatchObject([
      { status: 'owed', type: 'payment', amountMinor: 6_000, receiptKey: owedKeys.capture, refundId: null },
    ]);
    expect(draft?.receipts[0]?.body).toContain('Cup');
  });

  it('is the one that is kept already where it says the same', () => {
    const kept = decide(draftWith(after), request).draft?.receipts ?? [];
    expect(decide(draftWith(after, { receipts: kept }), request).draft?.receipts).toEqual(kept);
  });

  it('takes the place of that of a part that was refused', () => {
    const kept = decide(draftWith(after), request).draft?.receipts ?? [];
    const pot = { ...cup, items: cup.items.map((item) => ({ ...item, description: 'Pot' })) };
    const { draft } = decide(draftWith(after, { receipts: kept }), { ...request, receipt: pot });
    expect(draft?.receipts).toMatchObject([
      { status: 'void', receiptKey: owedKeys.capture, body: null, personal: null },
      { status: 'owed', receiptKey: `${owedKeys.capture}~2` },
    ]);
    const sent = [receiptRow({ receiptKey: owedKeys.capture, status: 'succeeded', body: null })];
    expect(decide(draftWith(after, { receipts: sent }), request).draft?.receipts).toMatchObject([
      { status: 'succeeded' },
      { status: 'owed', receiptKey: `${owedKeys.capture}~2` },
    ]);
  });

  it('is said once per person: another contact is another receipt', () => {
    const kept = decide(draftWith(after), request).draft?.receipts ?? [];
    const other = { ...cup, customer: { email: 'boris@buyer.example' } };
    const { draft } = decide(draftWith(after, { receipts: kept }), { ...request, receipt: other });
    expect(draft?.receipts.map(({ status }) => status)).toEqual(['void', 'owed']);
  });
});

describe('the finish that counts', () => {
  it('is a capture or cancel that was not refused', () => {
    const capture = operationRow({ kind: 'capture', outcome: null });
    const cancel = operationRow({ kind: 'cancel', outcome: 'confirmed' });
    expect(finishOf([operationRow(), capture])).toBe(capture);
    expect(finishOf([cancel])).toBe(cancel);
    expect(finishOf([operationRow(), { ...cancel, outcome: 'refused' }])).toBeUndefined();
  });
});
