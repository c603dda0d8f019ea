import type { EventName } from '@holdfast/payments';
import type { LedgerEntry } from '@holdfast/sandbox';
import type { Wishes } from '../workload/wishes.js';
import { doubled, groupBy, lost, wrong, type Finding } from './finding.js';
import { dueOf, isReplaced, moneyOfOrder } from './money-of-order.js';
import type { ServiceRecords, ShopRecords } from './records.js';

/** How often an event has to be there, of what. */
interface Expected {
  readonly of: string;
  readonly least: number;
  readonly most: number;
}

interface Books {
  readonly shop: ShopRecords;
  readonly service: ServiceRecords;
  readonly orders: readonly OrderBook[];
}

/** What the service's ledger has of an order, and what was wanted of it. */
interface OrderBook {
  readonly wish: Wishes;
  readonly entries: readonly LedgerEntry[];
}

type Rule = (books: Books) => Expected[];

/** Compared where receipts and people's work are. */
const elsewhere = null;
/** Nothing in a soak leads to it. */
const never: Rule = () => [];

/** Every event that a handler can get, and what has to be told by it. */
const rules: Readonly<Record<EventName, Rule | typeof elsewhere>> = {
  'payment.pending': ({ shop }) => shop.payments.map(({ id }) => ({ of: payment(id), least: 0, most: 1 })),
  'payment.waiting_for_capture': ({ shop }) =>
    shop.payments.map((row) => ({ of: payment(row.id), least: wasFinished(shop, row.id) ? 1 : 0, most: 1 })),
  'payment.succeeded': ended('succeeded'),
  'payment.canceled': ended('canceled'),
  'payment.rejected': ended('rejected'),
  'payment.anomaly': elsewhere,
  'order.paid': (books) => ofOrders(books, 'paid', ({ paid }) => Math.min(1, paid)),
  'order.unpaid': (books) => ofOrders(books, 'unpaid', () => 0),
  'order.refunded': (books) => ofOrders(books, 'refunded', ({ end }) => (end === 'refunded' ? 1 : 0)),
  'order.overpaid': overpaid,
  'hold.expiring': ({ shop }) =>
    shop.payments.map(({ id }) => ({ of: payment(id), least: 0, most: Infinity })),
  'hold.expired': ({ shop, service }) => {
    const expired = new Set(
      service.payments
        .filter(({ cancellationReason }) => cancellationReason === 'expired_on_capture')
        .map(({ id }) => id),
    );
    return shop.payments.map(({ id, serviceId }) => {
      const times = expired.has(serviceId ?? '') ? 1 : 0;
      return { of: payment(id), least: times, most: times };
    });
  },
  'refund.succeeded': refundsEnded('succeeded'),
  'refund.canceled': refundsEnded('canceled'),
  'refund.rejected': refundsEnded('rejected'),
  'receipt.succeeded': elsewhere,
  'receipt.failed': elsewhere,
  'receipt.late': elsewhere,
  'receipt.unsettled': never,
  'payout.succeeded': never,
  'payout.canceled': never,
  'deal.closed': never,
  'payment_method.active': never,
  'store.connected': ({ shop }) => [{ of: 'the stores', least: shop.connected, most: shop.connected }],
  'store.needs_reconnect': never,
  'store.disconnected': never,
  'store.token_expiring': never,
  // One that was told may be forgotten with the next loss. Of a copy that was found at the start it is told if its lists have more.
  'database.rolled_back': ({ shop: { losses } }) => [
    { of: 'the database', least: losses.lastSeen ? 1 : 0, most: losses.times },
  ],
};

/** Every event was told as often as there was a reason, by the service's ledger, and somebody handles it. */
export function checkEvents(
  shop: ShopRecords,
  service: ServiceRecords,
  wishes: readonly Wishes[],
): Finding[] {
  const books = { shop, service, orders: orderBooks(service, wishes) };
  const told = groupBy(shop.events, ({ name }) => name);
  return [
    ...checkAnomalies(books, told.get('payment.anomaly') ?? []),
    ...Object.entries(rules).flatMap(([name, rule]) => {
      if (rule === elsewhere) return [];
      const expected = rule(books);
      const isHandled = shop.handlers.some(({ event }) => event === name);
      return [
        ...(expected.some(({ most }) => most > 0) && !isHandled ? [wrong(`nobody handles ${name}`)] : []),
        ...compare(name, expected, told.get(name) ?? []),
        ...(name.startsWith('order.') ? compareKeys(name, expected, shop.outside) : []),
      ];
    }),
  ];
}

/** What a person is told of a request that outlived its key. */
const saidOf = {
  capture: 'did not take effect',
  cancel: 'did not take effect',
  receipt: 'has never received its receipt',
} as const;

/**
 * Whatever fails here comes right without a person, unless something else was asked for before the database forgot, somebody in the
 * Merchant Profile was faster with a refund, or a request was cut off for longer than its key lives.
 */
function checkAnomalies(
  { shop: { operations, forgotten, payments, outlived }, service }: Pick<Books, 'shop' | 'service'>,
  anomalies: ShopRecords['events'],
): Finding[] {
  const refundedElsewhere = new Set(
    service.refunds.filter(({ ourId }) => ourId === null).map(({ paymentId }) => paymentId),
  );
  const excused = new Set([
    ...operations.filter(({ key }) => forgotten.keys.has(key)).map(({ paymentId }) => paymentId),
    ...payments.filter(({ serviceId }) => refundedElsewhere.has(serviceId ?? '')).map(({ id }) => id),
  ]);
  const isOutlived = ({ paymentId, reason }: ShopRecords['events'][number]) =>
    outlived.some((one) => one.paymentId === paymentId && reason?.includes(saidOf[one.kind]));
  return anomalies
    .filter(
      (anomaly) => !anomaly.endsByItself && !excused.has(anomaly.paymentId ?? '') && !isOutlived(anomaly),
    )
    .map(({ paymentId, reason }) => wrong(`payment ${paymentId} needs a person: ${reason}`));
}

function compare(name: string, expected: readonly Expected[], told: ShopRecords['events']): Finding[] {
  const events = groupBy(told, subjectOf);
  const known = new Set(expected.map(({ of }) => of));
  return [
    ...expected.flatMap(({ of, least, most }) => {
      const times = events.get(of)?.length ?? 0;
      const bounds = least === most ? `${least}` : `${least} to ${most}`;
      const what = `${of} has ${times} events ${name}, not ${bounds}`;
      if (times < least) return [lost(what)];
      if (times <= most) return [];
      return [most === 0 ? wrong(what) : doubled(what)];
    }),
    ...[...events]
      .filter(([of]) => !known.has(of))
      .map(([of, { length }]) => wrong(`${of} has ${length} events ${name}, for which there was no reason`)),
  ];
}

/** What is done outside the database about an order has one key for each reason: by it whoever does it leaves out what was done. */
function compareKeys(
  name: string,
  expected: readonly Expected[],
  outside: ShopRecords['outside'],
): Finding[] {
  const runs = groupBy(
    outside.filter(({ event }) => event === name),
    ({ orderReference }) => order(orderReference),
  );
  return expected.flatMap(({ of, most }) => {
    const keys = new Set((runs.get(of) ?? []).map(({ effectKey }) => effectKey)).size;
    return keys > most ? [doubled(`outside: ${name} of ${of} has ${keys} effect keys, not ${most}`)] : [];
  });
}

function subjectOf({ name, paymentId, orderReference }: ShopRecords['events'][number]): string {
  if (name.startsWith('order.')) return order(orderReference ?? '');
  if (name.startsWith('store.')) return 'the stores';
  return paymentId === null ? 'the database' : payment(paymentId);
}

function ended(status: string): Rule {
  return ({ shop }) =>
    shop.payments.map((row) => {
      const times = row.status === status ? 1 : 0;
      return { of: payment(row.id), least: times, most: times };
    });
}

function refundsEnded(status: string): Rule {
  return ({ shop }) => {
    const refunds = groupBy(
      shop.refunds.filter((row) => row.status === status),
      ({ paymentId }) => paymentId,
    );
    return shop.payments.map(({ id }) => {
      const times = refunds.get(id)?.length ?? 0;
      return { of: payment(id), least: times, most: times };
    });
  };
}

/** Whether a capture or a cancel that the database remembers says that the hold was known. */
function wasFinished({ operations }: ShopRecords, id: string): boolean {
  return operations.some(
    ({ paymentId, kind, outcome }) =>
      paymentId === id && (kind === 'capture' || kind === 'cancel') && outcome === 'confirmed',
  );
}

type Money = ReturnType<typeof moneyOfOrder>;

/** An order whose total nobody is certain of may have any number of them. */
function ofOrders(
  { orders }: Books,
  turn: 'paid' | 'unpaid' | 'refunded',
  leastOf: (money: Money) => number,
): Expected[] {
  return orders.map(({ wish, entries }) => {
    const dueMinor = dueOf(wish);
    const of = order(wish.plan.reference);
    if (dueMinor === null) return { of, least: 0, most: Infinity };
    const money = moneyOfOrder(dueMinor, entries);
    return { of, least: leastOf(money), most: money[turn] };
  });
}

/** More is kept than is due, or what another payment took the place of was paid after all. */
function overpaid({ orders }: Books): Expected[] {
  return orders.map(({ wish, entries }) => {
    const dueMinor = dueOf(wish);
    const of = order(wish.plan.reference);
    if (dueMinor === null) return { of, least: 0, most: Infinity };
    const replaced = entries.filter(
      ({ kind, paymentId }) => kind === 'capture' && isReplaced(wish, paymentId),
    ).length;
    const times = moneyOfOrder(dueMinor, entries).overpaid;
    return { of, least: Math.min(1, times + replaced), most: times + replaced };
  });
}

function orderBooks({ payments, ledger }: ServiceRecords, wishes: readonly Wishes[]): OrderBook[] {
  const orders = new Map(payments.map(({ id, order: reference }) => [id, reference ?? '']));
  const entries = groupBy(ledger, ({ paymentId }) => orders.get(paymentId) ?? '');
  return wishes.map((wish) => ({ wish, entries: entries.get(wish.plan.reference) ?? [] }));
}

const payment = (id: string): string => `payment ${id}`;
const order = (reference: string): string => `order ${reference}`;
