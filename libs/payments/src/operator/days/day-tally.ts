import { formatAmount, type Amount } from '../../common/money.js';
import type { countedByDay } from '../../schema/event.entity.js';

/** The money of one day of the calendar, by when the module learned of each change. */
export interface DayOfMoney {
  /** `2030-01-31`, in the time zone that was asked for. */
  readonly day: string;
  /** Captured, by payments that succeeded on this day. */
  readonly taken: Amount;
  /** Held by payments that were authorized on this day, whatever became of them since. */
  readonly held: Amount;
  /** Of refunds that succeeded on this day. */
  readonly refunded: Amount;
  /** Payments that succeeded on this day. */
  readonly succeeded: number;
  /** Payments that were canceled on this day. */
  readonly canceled: number;
  /** How many of those were canceled for each reason, in the service's words. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** Events of one day that are alike: how many, and their money. */
export interface DaySum {
  readonly day: string;
  readonly name: (typeof countedByDay)[number];
  /** Of a canceled payment; null: none was given. */
  readonly reason: string | null;
  readonly count: number;
  readonly sumMinor: number;
}

/** Sums of any number of days, each kind of event once. */
export type DayTally = ReadonlyMap<string, DaySum>;

export const emptyTally: DayTally = new Map();

/** The tally with further events. */
export function withSums(tally: DayTally, sums: readonly DaySum[]): DayTally {
  const together = new Map(tally);
  for (const sum of sums) {
    const key = JSON.stringify([sum.day, sum.name, sum.reason]);
    const before = together.get(key);
    together.set(key, {
      ...sum,
      count: (before?.count ?? 0) + sum.count,
      sumMinor: (before?.sumMinor ?? 0) + sum.sumMinor,
    });
  }
  return together;
}

/** What it says of these days; one without an event is there, too. */
export function daysOf(tally: DayTally, days: readonly string[]): DayOfMoney[] {
  const sums = [...tally.values()];
  return days.map((day) =>
    dayOf(
      day,
      sums.filter((sum) => sum.day === day),
    ),
  );
}

function dayOf(day: string, sums: readonly DaySum[]): DayOfMoney {
  const of = (name: DaySum['name']) => sums.filter((sum) => sum.name === name);
  const money = (name: DaySum['name']) =>
    formatAmount(of(name).reduce((total, { sumMinor }) => total + sumMinor, 0));
  const count = (name: DaySum['name']) => of(name).reduce((total, sum) => total + sum.count, 0);
  return {
    day,
    taken: money('payment.succeeded'),
    held: money('payment.waiting_for_capture'),
    refunded: money('refund.succeeded'),
    succeeded: count('payment.succeeded'),
    canceled: count('payment.canceled'),
    reasons: Object.fromEntries(
      of('payment.canceled').map(({ reason, count: times }) => [reason ?? 'unknown', times]),
    ),
  };
}
