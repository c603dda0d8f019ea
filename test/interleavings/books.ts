import type { Payment } from '@holdfast/payments';
import { orderState } from '../../libs/payments/src/payment/order-totals.js';
import type { Stage } from './stage.js';

interface Sums {
  readonly paidMinor: number;
  readonly heldMinor: number;
  readonly refundedMinor: number;
}

/** The rows of one payment; money in minor units. */
interface Books {
  readonly status: string;
  readonly captured: number;
  readonly refunded: number;
  readonly reserved: number;
  readonly events: readonly { readonly name: string; readonly from: string | null; readonly to: string }[];
  readonly deliveries: readonly {
    readonly event: string;
    readonly done: boolean;
    readonly leased: boolean;
  }[];
  /** One for each event and handler of it. */
  readonly expected: readonly string[];
  readonly effects: readonly string[];
  readonly notifications: readonly {
    readonly event: string;
    readonly count: number;
    readonly handled: number;
    readonly waits: boolean;
  }[];
  readonly due: {
    readonly leased: boolean;
    readonly wanted: boolean;
    readonly lane: string;
    readonly hints: number;
    readonly inMinutes: number;
  } | null;
  readonly order: Sums & { readonly totalDueMinor: number; readonly state: string };
  readonly sums: Sums;
  /** Operations and refunds whose outcome is open. */
  readonly open: number;
}

const SQL = `SELECT payment.status, payment.captured_minor::int AS captured, payment.refunded_minor::int AS refunded,
    payment.refund_reserved_minor::int AS reserved,
    (SELECT json_agg(json_build_object('name', name, 'from', from_status, 'to', to_status) ORDER BY id)
     FROM payments_events WHERE payment_id = payment.id) AS events,
    (SELECT COALESCE(json_agg(json_build_object('event', event.name, 'done', done_at IS NOT NULL, 'leased', lease_until IS NOT NULL)), '[]')
     FROM payments_deliveries JOIN payments_events event ON event.id = event_id WHERE payment_id = payment.id) AS deliveries,
    (SELECT COALESCE(json_agg(event.name ORDER BY event.name), '[]')
     FROM payments_events event JOIN payments_handlers handler ON handler.event = event.name
     WHERE payment_id = payment.id) AS expected,
    (SELECT COALESCE(json_agg(event ORDER BY event), '[]') FROM effects WHERE payment_id = payment.id) AS effects,
    (SELECT COALESCE(json_agg(json_build_object('event', event, 'count', count, 'handled', handled_count, 'waits', ready_at IS NOT NULL)), '[]')
     FROM payments_notifications WHERE object_id = payment.service_id) AS notifications,
    (SELECT json_build_object('leased', fence IS NOT NULL OR lease_until IS NOT NULL, 'wanted', wanted_at IS NOT NULL,
       'lane', lane, 'hints', refund_signals, 'inMinutes', extract(epoch FROM ready_at - $2::timestamptz) / 60)
     FROM payments_due WHERE payment_id = payment.id) AS due,
    json_build_object('totalDueMinor', total_due_minor, 'paidMinor', paid_minor, 'heldMinor', held_minor,
      'refundedMinor', place.refunded_minor, 'state', place.state) AS "order",
    (SELECT json_build_object('paidMinor', sum(captured_minor),
       'heldMinor', COALESCE(sum(authorized_minor) FILTER (WHERE status = 'waiting_for_capture'), 0), 'refundedMinor', sum(refunded_minor))
     FROM payments_payments WHERE order_id = place.id) AS sums,
    (SELECT count(*) FROM payments_operations WHERE payment_id = payment.id AND (outcome IS NULL OR outcome = 'unknown'))::int
    + (SELECT count(*) FROM payments_refunds WHERE payment_id = payment.id AND status IN ('submitting', 'pending'))::int AS open
  FROM payments_payments payment JOIN payments_orders place ON place.id = payment.order_id WHERE payment.id = $1`;

/** The faults in a payment's rows, compared with the service's books, when nothing is left to do. */
export async function faultsOf(
  { observer, bench: { sandbox } }: Stage,
  { id, serviceId }: Payment,
  /** A re-read from before its end may be applied after it; then it is looked at once more. */
  { mayBeLookedAt = false }: { readonly mayBeLookedAt?: boolean } = {},
): Promise<string[]> {
  const { rows } = await observer.query<Books>(SQL, [id, sandbox.clock.now()]);
  const [books] = rows;
  if (!books) return ['the payment is gone'];
  const service = sandbox.payments.get(serviceId ?? '');
  const ledger = sandbox.ledger.totals(serviceId ?? '');
  const { events, order, sums, due } = books;
  const faults: string[] = [];
  const must = (is: boolean, fault: string) => {
    if (!is) faults.push(fault);
  };
  must(books.status === service.status, `it is ${books.status}, and ${service.status} at the service`);
  must(minor(ledger.captured) === books.captured, `${books.captured} captured, not ${ledger.captured}`);
  must(minor(ledger.refunded) === books.refunded, `${books.refunded} refunded, not ${ledger.refunded}`);
  must(books.reserved === 0, `${books.reserved} are reserved for refunds`);
  must(books.open === 0, `${books.open} operations or refunds are open`);
  const moves = events.filter(({ name }) => name.startsWith('payment.'));
  const chained = moves.every(({ from }, index) => index === 0 || from === moves[index - 1]?.to);
  must(chained && moves.at(-1)?.to === books.status, `its events are ${JSON.stringify(events)}`);
  must(
    new Set(events.map(({ name }) => name)).size === events.length,
    `an event is there twice: ${JSON.stringify(events)}`,
  );
  must(
    books.deliveries.length === books.expected.length &&
      books.deliveries.every(({ done, leased }) => done && !leased),
    `its deliveries are ${JSON.stringify(books.deliveries)}`,
  );
  // An effect outside leaves no row here.
  const ofHandlers = books.expected.filter((event) => event !== 'effect.recorded');
  must(same(books.effects, ofHandlers), `its handlers' effects are ${books.effects.join(', ')}`);
  for (const { event, count, handled, waits } of books.notifications)
    must(
      count === handled && !waits,
      `of ${count} ${event}, ${handled} are handled${waits ? ', one waits' : ''}`,
    );
  const isOver = ['succeeded', 'canceled', 'rejected'].includes(books.status);
  must(
    isOver === (due === null) || (isOver && mayBeLookedAt),
    `its place in the queue is ${JSON.stringify(due)}`,
  );
  if (due) {
    const isFree = !due.leased && !due.wanted && due.lane === 'polls' && due.hints === 0;
    must(
      isFree && due.inMinutes > 0 && due.inMinutes <= 60,
      `its place in the queue is ${JSON.stringify(due)}`,
    );
  }
  const totals = { totalDueMinor: order.totalDueMinor, ...sums };
  must(
    same(sumsOf(order), sumsOf(sums)) && order.state === orderState(totals),
    `its order has ${JSON.stringify(order)}, and its payments ${JSON.stringify(sums)}`,
  );
  return faults;
}

function sumsOf({ paidMinor, heldMinor, refundedMinor }: Sums): Sums {
  return { paidMinor, heldMinor, refundedMinor };
}

function minor(amount: string): number {
  return Math.round(Number(amount) * 100);
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
