import { Injectable } from '@nestjs/common';
import { formatAmount, type Amount } from '../../common/money.js';
import { useIndexes } from '../../database/by-index.js';
import { Database } from '../../database/database.js';
import { countedByDay, EventEntity } from '../../schema/event.entity.js';
import { PaymentEntity } from '../../schema/payment.entity.js';
import { RefundEntity } from '../../schema/refund.entity.js';
import type { DaysShape } from './days.input.js';

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

interface Row {
  readonly day: string;
  readonly name: (typeof countedByDay)[number] | null;
  readonly reason: string | null;
  readonly count: string;
  readonly sumMinor: string;
}

/** Sums what the events of a period say, by an index that has those alone. */
@Injectable()
export class DailyMoney {
  constructor(private readonly database: Database) {}

  async days(storeId: string, { from, to, timeZone = 'UTC' }: DaysShape): Promise<DayOfMoney[]> {
    const rows = await this.database.transaction(async (manager) => {
      await useIndexes(manager);
      return manager.query<Row[]>(this.#statement(), [storeId, from, to, timeZone]);
    });
    const days = new Map<string, Row[]>();
    for (const row of rows) days.set(row.day, [...(days.get(row.day) ?? []), row]);
    return [...days].map(([day, ofDay]) => dayOf(day, ofDay));
  }

  /** Days without an event have a row too. OFFSET 0 keeps each look with its row, whatever statistics say. */
  #statement(): string {
    const { database } = this;
    const names = countedByDay.map((name) => `'${name}'`).join(', ');
    return `WITH found AS (
        SELECT (event.created_at AT TIME ZONE $4::text)::date AS day, event.name, payment.cancellation ->> 'reason' AS reason,
          CASE event.name WHEN 'payment.succeeded' THEN payment.captured_minor
            WHEN 'payment.waiting_for_capture' THEN payment.authorized_minor
            WHEN 'refund.succeeded' THEN (SELECT amount_minor FROM ${database.table(RefundEntity)} WHERE id = event.subject_id::uuid)
            ELSE 0 END AS amount_minor
        FROM ${database.table(EventEntity)} event
        CROSS JOIN LATERAL (SELECT * FROM ${database.table(PaymentEntity)} WHERE id = event.payment_id OFFSET 0) payment
        WHERE event.name IN (${names}) AND (event.store_id, event.created_at) >= ($1::uuid, date_trunc('day', $2::timestamptz AT TIME ZONE $4::text) AT TIME ZONE $4::text)
          AND (event.store_id, event.created_at) < ($1::uuid, $3::timestamptz)
      ), days AS (
        SELECT first + generate_series(0, last - first) AS day FROM (
          SELECT ($2::timestamptz AT TIME ZONE $4::text)::date AS first,
            (($3::timestamptz - interval '1 microsecond') AT TIME ZONE $4::text)::date AS last
        ) ends
      )
      SELECT to_char(days.day, 'YYYY-MM-DD') AS day, name, reason, count(found.name) AS count, COALESCE(sum(amount_minor), 0) AS "sumMinor"
      FROM days LEFT JOIN found USING (day) GROUP BY days.day, name, reason ORDER BY days.day`;
  }
}

function dayOf(day: string, rows: readonly Row[]): DayOfMoney {
  const sum = (name: Row['name']) =>
    formatAmount(
      rows.filter((row) => row.name === name).reduce((total, row) => total + Number(row.sumMinor), 0),
    );
  const count = (name: Row['name']) =>
    rows.filter((row) => row.name === name).reduce((total, row) => total + Number(row.count), 0);
  return {
    day,
    taken: sum('payment.succeeded'),
    held: sum('payment.waiting_for_capture'),
    refunded: sum('refund.succeeded'),
    succeeded: count('payment.succeeded'),
    canceled: count('payment.canceled'),
    reasons: Object.fromEntries(
      rows
        .filter(({ name }) => name === 'payment.canceled')
        .map((row) => [row.reason ?? 'unknown', Number(row.count)]),
    ),
  };
}
