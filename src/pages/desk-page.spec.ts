import type { Backlog, ReceiptProblem } from '@holdfast/payments';

import { deskPage } from './desk-page.js';

const nothing = { count: 0, more: false, oldestMs: null };
const backlog: Backlog = {
  operations: nothing,
  payments: nothing,
  notifications: nothing,
  deliveries: nothing,
  failingDeliveries: nothing,
  parkedDeliveries: nothing,
  receiptProblems: { count: 1, more: false, oldestMs: 0 },
  flaggedHolds: nothing,
  waitingForOwners: nothing,
  unannouncedChanges: nothing,
};
const ofPayment: ReceiptProblem = {
  id: 'ONE',
  store: 'default',
  paymentId: 'theirs',
  refundId: null,
  receiptKey: null,
  kind: 'failed',
  since: new Date('2030-01-01T00:00:00Z'),
  remedy: 'make_by_hand',
};

function shown(changes: Partial<ReceiptProblem>): string {
  const problem = { ...ofPayment, ...changes };
  const receipts = [{ problem, orderReference: 'A-1' }];
  const page = deskPage({ notes: [], holds: [], backlog, failing: [], parked: [], receipts, foreign: [] });
  return page.replaceAll(/\s+/g, ' ');
}

describe('a receipt on the desk', () => {
  it.each<[string, string, Partial<ReceiptProblem>]>([
    ['failed', 'The receipt of the payment failed. Make it by hand', {}],
    [
      'is late',
      'The receipt of a refund is late, and still being asked for. Ask',
      { kind: 'late', refundId: 'r', remedy: 'ask_service_support' },
    ],
    [
      'is missing',
      'The receipt of a refund is missing: its money was moved outside the shop. Make it by hand in the register, or have',
      { kind: 'missing', refundId: 'r', remedy: 'send_it' },
    ],
    [
      'failed, sent by the shop itself',
      'The receipt of a hand-over failed. Send it again.',
      { receiptKey: 'settlement', remedy: 'send_again' },
    ],
    [
      'failed after its payment',
      'The receipt of the payment failed. Send it again.',
      { receiptKey: 'auto:payment~2', remedy: 'send_again' },
    ],
    [
      'failed after its refund',
      'The receipt of a refund failed. Send it again.',
      { receiptKey: 'auto:refund:r', refundId: 'r', remedy: 'send_again' },
    ],
    [
      'failed after its hold was let go',
      'The receipt that takes back the payment’s failed. Send it again.',
      { receiptKey: 'auto:return', remedy: 'send_again' },
    ],
  ])('that %s says so, and what helps', (_what, words, changes) => {
    expect(shown(changes)).toContain(words);
  });

  it('has a button that sends it again where that helps, and is resolved by hand in any case', () => {
    const button = 'formaction="/staff/receipts/ONE/send-again"';
    expect(shown({ receiptKey: 'settlement', remedy: 'send_again' })).toContain(button);
    for (const remedy of ['send_it', 'ask_service_support', 'make_by_hand', null] as const)
      expect(shown({ remedy })).not.toMatch(/Send again|name="email"/);
    for (const remedy of ['send_again', 'make_by_hand'] as const)
      expect(shown({ remedy })).toContain('action="/staff/receipts/ONE/resolved"');
  });
});
