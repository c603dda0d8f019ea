import { CHANGES_IN_A_ROW } from '../reconcile/silence-alarm.js';
import type { Backlog, Waiting } from './backlog.js';

/** In a healthy shop nothing waits for longer than minutes. */
export const PATIENCE_MS = 15 * 60_000;

/** Something that is wrong: it needs a person, or will if it stays. */
export interface Condition extends Waiting {
  readonly name: ConditionName;
  /** true: a person must act; false: it may end by itself, and a person looks at it if it stays. */
  readonly needsPerson: boolean;
  /** What is so, with its number: `2 deliveries given up`. */
  readonly text: string;
  /** What helps, or where to look. */
  readonly remedy: string;
}

interface Rule {
  readonly name: string;
  readonly needsPerson: boolean;
  readonly figure: keyof Backlog;
  readonly holds: (waiting: Waiting) => boolean;
  readonly text: (number: string, isOne: boolean) => string;
  readonly remedy: string;
}

const isAny = ({ count }: Waiting): boolean => count > 0;
const isOld = ({ oldestMs }: Waiting): boolean => oldestMs !== null && oldestMs > PATIENCE_MS;

/** The most urgent first. Notifications that wait do not count: those of another system's payments do so for an hour by design. */
const rules = [
  {
    name: 'database_unconfirmed',
    needsPerson: true,
    figure: 'unconfirmedDatabase',
    holds: isAny,
    text: () => 'the database may be a copy: no payments are taken or moved, and no handler runs',
    remedy:
      'Say which it is: "npx @holdfast/payments continue" where it goes on (a restored backup, a move), "npx @holdfast/payments detach" where it is a copy.',
  },
  {
    name: 'notifications_missing',
    needsPerson: false,
    figure: 'unannouncedChanges',
    holds: ({ count }) => count >= CHANGES_IN_A_ROW,
    text: (number) => `notifications do not arrive: polls found the last ${number} changes`,
    remedy:
      'Check that the notification URL reaches the webhook route, that its events are ticked, and that no proxy in front is missing from trustedProxies.',
  },
  {
    name: 'recoveries_unread',
    needsPerson: true,
    figure: 'unreadRecoveries',
    holds: isAny,
    text: (number, isOne) =>
      `${number} ${isOne ? 'time' : 'times'} of lost commits that could not be read at the service`,
    remedy: 'Fix what the error says, then have the time read again (operator.recover).',
  },
  {
    name: 'holds_flagged',
    needsPerson: true,
    figure: 'flaggedHolds',
    holds: isAny,
    text: (number, isOne) => `${number} ${isOne ? 'hold' : 'holds'} to decide about`,
    remedy: 'Capture or cancel each before it ends.',
  },
  {
    name: 'incidents_open',
    needsPerson: true,
    figure: 'openIncidents',
    holds: isAny,
    text: (number, isOne) => `${number} ${isOne ? 'incident' : 'incidents'} that nobody has resolved`,
    remedy:
      'Read the timeline of each payment, put right what it says, then resolve the incident with what was done.',
  },
  {
    name: 'receipts_open',
    needsPerson: true,
    figure: 'receiptProblems',
    holds: isAny,
    text: (number, isOne) =>
      `${number} ${isOne ? 'receipt that failed, is late or is missing' : 'receipts that failed, are late or are missing'}`,
    remedy: 'What helps stands beside each.',
  },
  {
    name: 'deliveries_parked',
    needsPerson: true,
    figure: 'parkedDeliveries',
    holds: isAny,
    text: (number, isOne) => `${number} ${isOne ? 'delivery' : 'deliveries'} given up`,
    remedy: 'Fix what the error says, then run them again.',
  },
  {
    name: 'deliveries_failing',
    needsPerson: false,
    figure: 'failingDeliveries',
    holds: isAny,
    text: (number, isOne) => `${number} ${isOne ? 'delivery that fails' : 'deliveries that fail'}`,
    remedy: 'They are run again by themselves until they are given up: fix what the error says.',
  },
  {
    name: 'recoveries_open',
    needsPerson: false,
    figure: 'openRecoveries',
    holds: isAny,
    text: (number, isOne) =>
      `${number} ${isOne ? 'time' : 'times'} of commits that may be lost, still to be read at the service`,
    remedy:
      'They are read by themselves. If they stay, the service is down, no process sweeps, or their store has to be connected again.',
  },
  {
    name: 'stores_forgotten',
    needsPerson: true,
    figure: 'forgottenStores',
    holds: isAny,
    text: (number, isOne) =>
      `${number} connected ${isOne ? 'store' : 'stores'} that the database has forgotten, and whose notifications arrive`,
    remedy:
      'Lead their owners through connecting them again; one that is to be connected no more, disconnect (partner.disconnect).',
  },
  {
    name: 'owners_asked',
    needsPerson: true,
    figure: 'waitingForOwners',
    holds: isAny,
    text: (number, isOne) =>
      `${number} ${isOne ? 'payment' : 'payments'} of stores that are not connected any more`,
    remedy: 'Lead their owners through connecting them again.',
  },
  {
    name: 'operations_stuck',
    needsPerson: false,
    figure: 'operations',
    holds: isOld,
    text: (number, isOne) => `${number} ${isOne ? 'request' : 'requests'} without an answer for too long`,
    remedy: 'The payment service gives no usable answer, or refuses the credentials: the log says which.',
  },
  {
    name: 'payments_stuck',
    needsPerson: false,
    figure: 'payments',
    holds: isOld,
    text: (number, isOne) => `${number} ${isOne ? 'payment' : 'payments'} not looked at for too long`,
    remedy: 'The payment service is down, no process sweeps, or rereads is less than there is to do.',
  },
  {
    name: 'deliveries_stuck',
    needsPerson: false,
    figure: 'deliveries',
    holds: isOld,
    text: (number, isOne) => `${number} ${isOne ? 'event' : 'events'} not handed over for too long`,
    remedy: 'No process that sweeps has the handler, or handlers are slow.',
  },
] as const satisfies readonly Rule[];

/** What can be wrong. */
export type ConditionName = (typeof rules)[number]['name'];

/** All of them, the most urgent first. */
export const conditionNames: readonly ConditionName[] = rules.map(({ name }) => name);

/**
 * What is wrong, the most urgent first; empty: all is well. Whatever tells a person, or a monitor, how the payments are doing
 * asks this list, so that none of them says "well" while another complains.
 * @example
 * for (const { text, remedy } of conditionsOf(await this.operator.backlog())) console.warn(`${text}. ${remedy}`);
 */
export function conditionsOf(backlog: Backlog): Condition[] {
  return rules
    .filter(({ figure, holds }) => holds(backlog[figure]))
    .map(({ name, needsPerson, figure, text, remedy }) => {
      const { count, more, oldestMs } = backlog[figure];
      const number = more ? `more than ${count}` : String(count);
      return { name, needsPerson, count, more, oldestMs, text: text(number, count === 1 && !more), remedy };
    });
}

/** The most urgent first. */
export function inOrder<Name extends ConditionName>(names: readonly Name[]): Name[] {
  return rules.flatMap((rule) => names.filter((name) => name === rule.name));
}
