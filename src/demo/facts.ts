import type { LedgerEntry, NotificationReport } from '@holdfast/sandbox';

import { roubles } from '../pages/format.js';
import { minor } from './books.js';
import type { OrderAnswer } from './order-answer.js';
import type { Actor } from './print.js';

/** Something that happened to an order. The key is the same at every look, so that it is told once. */
export interface Fact {
  key: string;
  actor: Actor;
  text: string;
}

/** What happened to the money of one payment, by the service's own record. */
export function ledgerFacts(entries: readonly LedgerEntry[]): Fact[] {
  return entries.map((entry, index) => ({ key: `ledger ${index}`, ...ledgerFact(entry) }));
}

/** What the service sent about an order's payments, and what came of it; causes before their consequences. */
export function orderFacts(order: OrderAnswer, notifications: readonly NotificationReport[]): Fact[] {
  return [
    ...notifications.filter(({ done }) => done).map(notificationFact),
    ...order.payments.flatMap(({ timeline }) =>
      timeline.flatMap((entry) => timelineFact(entry).map((fact) => ({ key: entry.name, ...fact }))),
    ),
    ...order.effects.map(({ effect }, index) => handlerFact(effect, index)),
  ];
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

function timelineFact({ name, from, to, cause }: TimelineEntry): Omit<Fact, 'key'>[] {
  // What comes from the service is told from its own records: they know of lost notifications too.
  if (cause === 'service') return [];
  if (to === null) return [{ actor: 'payments', text: `raises ${name}` }];
  if (from === null) return [{ actor: 'payments', text: `writes the payment down before sending it: ${to}` }];
  const change = `${from} → ${to}`;
  switch (cause) {
    case 'notification':
      return [{ actor: 'payments', text: `re-reads the payment it was notified of: ${change}` }];
    case 'refresh':
      return [{ actor: 'payments', text: `re-reads the payment as the buyer is back: ${change}` }];
    case 'sweep':
      return [
        { actor: 'sweep', text: `finds the payment due and re-reads it without being told: ${change}` },
      ];
    default:
      return [{ actor: 'payments', text: `takes the answer to the ${cause}: ${change}` }];
  }
}

function handlerFact(effect: string, index: number): Fact {
  return {
    key: `effect ${index}`,
    actor: 'handler',
    text: `marks the order: ${effect.replaceAll('_', ' ')}`,
  };
}
