import { parseAmount } from '@holdfast/payments/client';
import type { LedgerEntry } from '@holdfast/sandbox';
import { BY_HANDLER } from '../shop/names.js';
import type { Wishes } from '../workload/wishes.js';
import { groupBy, lost, wrong, type Finding } from './finding.js';
import { isReplaced } from './money-of-order.js';
import type { ServiceRecords, ShopRecords } from './records.js';

type Service = Pick<ServiceRecords, 'payments' | 'refunds' | 'ledger'>;
type Refunds = Service['refunds'];

const DAY_MS = 24 * 60 * 60_000;
/** A hold lasts for a week, and its policy is asked a day before its end. */
const POLICY_AFTER_MS = 5 * DAY_MS;

/**
 * What was released, captured and refunded at the service is what buyer, staff or a hold's policy wanted, and what they were told
 * was done there.
 */
export function checkWishes(
  wishes: readonly Wishes[],
  service: Service,
  shop: Pick<ShopRecords, 'outlived'>,
): Finding[] {
  const finishes = shop.outlived.filter(({ kind }) => kind !== 'receipt');
  const outlived = new Set(finishes.map(({ servicePaymentId }) => servicePaymentId));
  const payments = groupBy(service.payments, ({ order }) => order ?? '');
  const ledger = groupBy(service.ledger, ({ paymentId }) => paymentId);
  const refunds = groupBy(service.refunds, ({ paymentId }) => paymentId);
  return wishes.flatMap((wish) =>
    (payments.get(wish.plan.reference) ?? []).flatMap(({ id }) => {
      const entries = ledger.get(id) ?? [];
      return [
        ...unwanted(wish, id, entries, refunds.get(id) ?? []),
        ...undone(wish, id, entries, refunds.get(id) ?? [], outlived.has(id)),
      ];
    }),
  );
}

function unwanted(wish: Wishes, id: string, entries: readonly LedgerEntry[], refunds: Refunds): Finding[] {
  const charge = entries.find(({ kind }) => kind === 'charge');
  if (!charge) return [];
  const { plan } = wish;
  const name = nameOf(wish, id);
  return entries.flatMap((entry) => {
    const { kind, amount } = entry;
    // The service let it go, since nobody had done anything about it.
    if (kind === 'charge' || (kind === 'cancel' && entry.requestKey === null)) return [];
    const isWanted = {
      cancel: () =>
        has(wish.cancels, id) || isReplaced(wish, id) || policyOf(wish, charge, entry) === 'cancel',
      capture: () => isCaptureWanted(wish, id, charge, entry),
      refund: () => isRefundWanted(wish, id, entry, refunds),
    }[kind];
    if (isWanted()) return [];
    return [wrong(`a ${kind} of ${amount} of ${name}, which nobody wanted (hold policy ${plan.holdPolicy})`)];
  });
}

function isCaptureWanted(wish: Wishes, id: string, charge: LedgerEntry, entry: LedgerEntry): boolean {
  const { finish } = wish.plan;
  if (has(wish.captures, id, minorOf(entry))) return true;
  if (entry.amount !== charge.amount) return false;
  return finish === null || finish === 'by the handler' || policyOf(wish, charge, entry) === 'capture';
}

function isRefundWanted(
  { plan, refunds: asked }: Wishes,
  id: string,
  entry: LedgerEntry,
  refunds: Refunds,
): boolean {
  const refundKey = refunds.find((refund) => refund.id === entry.refundId)?.refundKey ?? null;
  if (refundKey === BY_HANDLER) return plan.refundedByHandler;
  return has(
    asked.filter((ask) => ask.refundKey === refundKey),
    id,
    minorOf(entry),
  );
}

/** Null before the hold is near its end. */
function policyOf({ plan }: Wishes, charge: LedgerEntry, entry: LedgerEntry): string | null {
  const heldMs = Date.parse(entry.at) - Date.parse(charge.at);
  return plan.finish !== null && heldMs > POLICY_AFTER_MS ? plan.holdPolicy : null;
}

function undone(
  wish: Wishes,
  id: string,
  entries: readonly LedgerEntry[],
  refunds: Refunds,
  isOutlived: boolean,
): Finding[] {
  const { plan } = wish;
  const did = (kind: LedgerEntry['kind']): boolean => entries.some((entry) => entry.kind === kind);
  const told = (asks: Wishes['captures'], status: string): boolean =>
    asks.some((ask) => ask.serviceId === id && ask.told.includes(status));
  const refundsTold = wish.refunds.filter(
    ({ serviceId, told: statuses }) =>
      serviceId === id && (statuses.includes('succeeded') || statuses.includes('pending')),
  );
  const isForHandler = !isReplaced(wish, id) && did('charge') && !isOutlived;
  const what = [
    ...(told(wish.captures, 'succeeded') && !did('capture') ? ['captured, as staff were told,'] : []),
    ...(told(wish.cancels, 'canceled') && !did('cancel') ? ['canceled, as staff were told,'] : []),
    ...(isForHandler && plan.finish === 'by the handler' && !did('capture')
      ? ['captured, as its handler wanted,']
      : []),
    // Staff may have refunded a part before.
    ...(plan.refundedByHandler && did('capture') && refunds.length === 0
      ? ['refunded, as its handler wanted,']
      : []),
    ...new Set(
      refundsTold
        .filter(({ refundKey }) => !refunds.some((refund) => refund.refundKey === refundKey))
        .map(({ refundKey }) => `refunded under "${refundKey}", as staff were told,`),
    ),
  ];
  return what.map((done) => lost(`${nameOf(wish, id)} was never ${done} at the service`));
}

function has(asks: Wishes['captures'], serviceId: string, amountMinor?: number): boolean {
  return asks.some(
    (ask) => ask.serviceId === serviceId && (amountMinor === undefined || ask.amountMinor === amountMinor),
  );
}

function nameOf({ plan }: Wishes, id: string): string {
  return `payment ${id} of ${plan.reference}`;
}

function minorOf({ amount: value }: LedgerEntry): number {
  return parseAmount({ value, currency: 'RUB' });
}
