import type { Backlog, ReceiptProblem, UnsettledPrepayment } from '@holdfast/payments';

import type { Desk } from '../staff/desk.js';
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
  openIncidents: nothing,
  openRecoveries: nothing,
  unreadRecoveries: nothing,
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

function pageWith(listed: Partial<Desk>): string {
  const lists = {
    notes: [],
    holds: [],
    failing: [],
    parked: [],
    receipts: [],
    prepayments: [],
    foreign: [],
    recoveries: [],
  };
  return deskPage({ ...lists, backlog, ...listed }).replaceAll(/\s+/g, ' ');
}

function shown(changes: Partial<ReceiptProblem>): string {
  const problem = { ...ofPayment, ...changes };
  return pageWith({ receipts: [{ problem, orderReference: 'A-1' }] });
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

describe('a prepayment on the desk', () => {
  const prepayment: UnsettledPrepayment = {
    store: 'default',
    paymentId: 'ours',
    orderReference: 'A-1',
    since: new Date('2030-01-01T00:00:00Z'),
    left: { value: '900.00', currency: 'RUB' },
    isOverdue: true,
  };

  it('that should have been settled by now says so, with what is left and what to do', () => {
    const page = pageWith({ prepayments: [prepayment] });
    expect(page).toMatch(/data-prepayment="ours">.*Press “Handed over” on the order’s page.*900/);
    expect(page).toContain('1 prepayment to settle');
    expect(pageWith({})).toContain('No prepayment waits for its receipt for too long.');
  });
});
