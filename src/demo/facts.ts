import type { LedgerEntry, NotificationReport } from '@holdfast/sandbox';
import { parseAmount } from '@holdfast/payments';

import { roubles } from '../pages/format.js';
import type { OrderAnswer } from './order-answer.js';
import type { Actor } from './print.js';

/** Something that happened to an order. The key is the same at every look, so that it is told once. */
export interface Fact {
  key: string;
  actor: Actor;
  text: string;
}

/** Everything that happened to one order's payments, causes before their consequences. */
export function factsOf(
  order: OrderAnswer,
  entries: readonly LedgerEntry[],
  notifications: readonly NotificationReport[],
): Fact[] {
  return [
    ...entries.map((entry, index) => ({ key: `ledger ${index}`, ...ledgerFact(entry) })),
    ...notifications.filter(({ done }) => done).map(notificationFact),
    ...order.payments.flatMap(({ serviceId, timeline }) =>
      timeline.flatMap((entry) =>
        timelineFact(entry).map((fact) => ({ key: `${serviceId} ${entry.name}`, ...fact })),
      ),
    ),
    ...order.effects.map(({ effect }, index) => handlerFact(effect, index)),
  ];
}

function ledgerFact({ kind, amount }: LedgerEntry): Omit<Fact, 'key'> {
  const amountMinor = parseAmount({ value: amount, currency: 'RUB' });
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
  if (from === null) return [{ actor: 'payments', text: `records the intent before sending it: ${to}` }];
  const change = `${from} → ${to}`;
  switch (cause) {
    case 'notification':
      return [{ actor: 'payments', text: `re-reads the payment it was notified of: ${change}` }];
    case 'refresh':
      return [{ actor: 'payments', text: `re-reads the payment as the buyer is back: ${change}` }];
    case 'sweep':
      return [{ actor: 'sweep', text: `re-reads the payment, untold, as it is due: ${change}` }];
    default:
      return [{ actor: 'payments', text: `${cause} answered: ${change}` }];
  }
}

function handlerFact(effect: string, index: number): Fact {
  return {
    key: `effect ${index}`,
    actor: 'handler',
    text: `marks the order: ${effect.replaceAll('_', ' ')}`,
  };
}
