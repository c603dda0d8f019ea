import type { LedgerEntry, NotificationReport, RequestCount, WireReceipt } from '@holdfast/sandbox';

import { roubles } from '../../examples/shared/pages/format.js';
import { minor } from './books.js';
import type { OrderAnswer } from './order-answer.js';
import type { Actor } from './print-step.js';
import { offsetMinor, receiptMinor } from './receipts.js';

/** Something that happened to an order. The key is the same at every look, so that it is printed once. */
export interface Fact {
  key: string;
  actor: Actor;
  text: string;
}

/** What the module recorded before it sent the request to the service. */
export function intentFacts(order: OrderAnswer): Fact[] {
  return timelineFacts(order, ({ to }) => to === 'submitting');
}

/** What happened to the money of one payment, by the service's own record, and which requests were repeated. */
export function ledgerFacts(entries: readonly LedgerEntry[], requests: readonly RequestCount[]): Fact[] {
  return [
    ...entries.map((entry, index) => ({ key: `ledger ${index}`, ...ledgerFact(entry) })),
    ...requests
      .filter(({ requestKey, count }) => requestKey !== null && count > 1)
      .map(({ requestKey, endpoint, count }): Fact => ({
        key: `requests ${requestKey}`,
        actor: 'service',
        text: `has received the ${endpoint} ${count} times, under one key`,
      })),
  ];
}

/** What became of the receipts, oldest first. */
export function receiptFacts(receipts: readonly WireReceipt[]): Fact[] {
  return receipts.map((receipt): Fact => {
    const { id, status, type, items } = receipt;
    const settledMinor = offsetMinor(receipt);
    const of = settledMinor > 0 ? 'a hand-over' : `a ${type}`;
    const what = `the receipt of ${of}: ${items.map(lineText).join(', ')}`;
    const amount =
      settledMinor > 0 ? `${roubles(settledMinor)} prepaid` : roubles(Math.abs(receiptMinor(receipt)));
    const text = {
      pending: `sends the register ${what}, ${amount}`,
      succeeded: `has ${what} registered, ${amount}`,
      canceled: `could not register ${what}, ${amount}`,
    }[status];
    return { key: `${id} ${status}`, actor: 'service', text };
  });
}

function lineText(item: object): string {
  const line = new Map(Object.entries(item));
  const codes: unknown = line.get('mark_code_info');
  const mark = codes instanceof Object ? `, code …${Object.values(codes).join().slice(-4)}` : '';
  const status = line.get('planned_status') === 3 ? ', returned' : '';
  return `${line.get('description')} × ${line.get('quantity')}${mark}${status}`;
}

/** What the service sent about an order's payments, and its results; causes before their consequences. */
export function orderFacts(order: OrderAnswer, notifications: readonly NotificationReport[]): Fact[] {
  return [
    ...notifications.filter(({ done }) => done).map(notificationFact),
    ...timelineFacts(order, ({ to }) => to !== 'submitting'),
    ...order.effects.map(handlerFact),
  ];
}

function timelineFacts(order: OrderAnswer, isMeant: (entry: TimelineEntry) => boolean): Fact[] {
  return order.payments
    .flatMap(({ timeline }) => timeline)
    .filter(isMeant)
    .flatMap((entry) => {
      const fact = timelineFact(entry, order.receipts);
      const { refundId, receiptId } = entry.evidence;
      return fact === null ? [] : [{ key: `${entry.name} ${refundId} ${receiptId}`, ...fact }];
    });
}

function ledgerFact({ kind, amount }: LedgerEntry): Omit<Fact, 'key'> {
  const amountMinor = minor(amount);
  if (kind !== 'cancel') return { actor: 'service', text: `books a ${kind} of ${roubles(amountMinor)}` };
  const released = amountMinor > 0 ? `${roubles(amountMinor)} let go` : 'nothing was held';
  return { actor: 'service', text: `books a cancel, ${released}` };
}

function notificationFact({ id, event, attempts }: NotificationReport): Fact {
  const sent = `sends ${event}${attempts.length > 1 ? ` ${attempts.length} times at once` : ''}`;
  const answers = attempts.map(({ status, error }) => status ?? error).join(' ');
  return attempts.length === 0
    ? { key: id, actor: 'service', text: `sends ${event}, which gets lost on the way` }
    : { key: id, actor: 'service', text: `${sent}, answered ${answers}` };
}

type TimelineEntry = OrderAnswer['payments'][number]['timeline'][number];

function timelineFact(
  { name, from, to, cause, evidence }: TimelineEntry,
  receipts: OrderAnswer['receipts'],
): Omit<Fact, 'key'> | null {
  // What comes from the service is printed from its own records: they include lost notifications.
  if (cause === 'service') return null;
  if (name === 'receipt.resolved')
    return { actor: 'payments', text: `keeps what ${evidence.by} did: “${evidence.note}”` };
  if (name === 'receipt.sent_again')
    return {
      actor: 'payments',
      text: `records the receipt once more, for ${evidence.by}: “${evidence.note}”`,
    };
  if (to === null) {
    const of = name.startsWith('receipt.') ? ` of ${receiptedBy(evidence, receipts)}` : '';
    return { actor: 'payments', text: `raises ${name}${of}` };
  }
  const what = name.startsWith('refund.') ? 'refund' : 'payment';
  if (to === 'submitting') {
    return { actor: 'payments', text: `records the ${what} before sending it: ${to}` };
  }
  if (cause === 'recovery')
    return { actor: 'payments', text: `records the ${what} again, as the service has it: ${to}` };
  const actor = cause === 'sweep' ? 'sweep' : 'payments';
  if (from === null) return { actor, text: `lists the refunds and finds one made elsewhere: ${to}` };
  const change = `${from} → ${to}`;
  switch (cause) {
    case 'notification':
      return { actor, text: `re-reads the ${what} it was notified of: ${change}` };
    case 'refresh':
      return { actor, text: `re-reads the ${what} as the buyer is back: ${change}` };
    case 'sweep':
      return what === 'refund'
        ? { actor, text: `finds out the outcome of the refund by itself: ${change}` }
        : { actor, text: `finds the payment due and re-reads it without a notification: ${change}` };
    default:
      return { actor, text: `processes the answer to the ${cause}: ${change}` };
  }
}

/** What a receipt is of. */
function receiptedBy(
  { refundId, receiptId }: TimelineEntry['evidence'],
  receipts: OrderAnswer['receipts'],
): string {
  if (typeof refundId === 'string') return 'the refund';
  const own = receipts.find(({ id }) => id === receiptId);
  if (own && settlesPrepayment(own)) return 'the hand-over';
  return own?.receiptKey.startsWith('auto:return') ? 'the hold that was let go' : 'the payment';
}

/** Whether it is the receipt of a hand-over, or another attempt of it. */
export function settlesPrepayment({ receiptKey }: OrderAnswer['receipts'][number]): boolean {
  return receiptKey.startsWith('settlement');
}

function handlerFact({ effect, refundedMinor }: OrderAnswer['effects'][number], index: number): Fact {
  const amount = refundedMinor > 0 ? ` ${roubles(refundedMinor)}` : '';
  return {
    key: `effect ${index}`,
    actor: 'handler',
    text: `marks the order: ${effect.replaceAll('_', ' ')}${amount}`,
  };
}
