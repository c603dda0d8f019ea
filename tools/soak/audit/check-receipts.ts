import type { LedgerEntry } from '@holdfast/sandbox';

import type { ReceiptTally } from '../report.js';
import { doubled, groupBy, lost, sum, wrong, type Finding } from './finding.js';
import { movedMinor } from './moved.js';
import type { ReceiptRow, ServiceReceipt, ServiceRecords, ShopRecords } from './records.js';
import { toldOnce } from './told-once.js';

/** The receipts of each payment add up to its money, and what became of each was told once. */
export function checkReceipts(shop: ShopRecords, service: ServiceRecords): Finding[] {
  return [...checkSums(shop, service), ...checkTold(shop, service)];
}

/** By how much the receipts of a payment fall short of its money, either way; refused ones that somebody knows of are none of it. */
function receiptsShortMinor(shop: ShopRecords, service: ServiceRecords): Map<string, number> {
  const ledger = groupBy(service.ledger, ({ paymentId }) => paymentId);
  const receipts = groupBy(service.receipts, ({ paymentId }) => paymentId);
  const failed = new Set(
    shop.receiptEvents
      .filter(({ name, receiptId }) => name === 'receipt.failed' && receiptId === null)
      .map(({ paymentId, refundId }) => keyOf(paymentId, refundId)),
  );
  const known = new Set(
    shop.receipts
      .filter(({ paymentId, refundId }) => failed.has(keyOf(paymentId, refundId)))
      .map((row) => keyOf(row.servicePaymentId, row.serviceRefundId)),
  );
  const own = sentByThemselves(shop);
  const counts = ({ id, paymentId, refundId, status }: ServiceReceipt): boolean =>
    status === 'succeeded' ||
    (status === 'canceled' && !own.has(id) && known.has(keyOf(paymentId, refundId)));
  const byHand = groupBy(shop.ownReceipts, ({ servicePaymentId }) => servicePaymentId);
  return new Map(
    service.payments.map(({ id }) => {
      const receiptsMinor = sum((receipts.get(id) ?? []).filter(counts), ({ amountMinor }) => amountMinor);
      const madeMinor = sum(byHand.get(id) ?? [], ({ byHandMinor }) => byHandMinor);
      return [id, moneyMinor(ledger.get(id) ?? []) - receiptsMinor - madeMinor];
    }),
  );
}

/** The service's ids of receipts that are rows of their own. */
function sentByThemselves({ ownReceipts }: ShopRecords): ReadonlySet<string | null> {
  return new Set(ownReceipts.map(({ serviceId }) => serviceId));
}

/** For the table at the end. */
export function receiptTally(shop: ShopRecords, service: ServiceRecords): ReceiptTally {
  const of = (status: string): number =>
    service.receipts.filter((receipt) => receipt.status === status).length;
  return {
    registered: of('succeeded'),
    refused: of('canceled'),
    offsets: service.receipts.filter(({ status, offsetMinor }) => status === 'succeeded' && offsetMinor > 0)
      .length,
    afterMoney: shop.ownReceipts.filter(
      ({ status, receiptKey }) => status === 'succeeded' && receiptKey.startsWith('auto:'),
    ).length,
    sentAgain: shop.ownReceipts.filter(({ receiptKey }) => receiptKey.includes('~')).length,
    byHand: shop.ownReceipts.filter(({ byHandMinor }) => byHandMinor !== 0).length,
    late: shop.receiptEvents.filter(({ name }) => name === 'receipt.late').length,
    shortMinor: sum([...receiptsShortMinor(shop, service).values()], Math.abs),
  };
}

/** A hold that was let go is as if it had never been; what is held counts as received. */
function moneyMinor(entries: readonly LedgerEntry[]): number {
  const of = (kind: LedgerEntry['kind']): number => movedMinor(entries, kind);
  if (entries.some(({ kind }) => kind === 'cancel')) return 0;
  const isCaptured = entries.some(({ kind }) => kind === 'capture');
  return of(isCaptured ? 'capture' : 'charge') - of('refund');
}

function checkSums(shop: ShopRecords, service: ServiceRecords): Finding[] {
  return [...receiptsShortMinor(shop, service)]
    .filter(([, shortMinor]) => shortMinor !== 0)
    .map(([id, shortMinor]) => {
      const what = `receipts of payment ${id} of the service are ${shortMinor} short of its money`;
      return shortMinor > 0 ? lost(what) : doubled(what);
    });
}

/** A payment has several receipts where a part of a hold was captured, or it was let go: each status may have been seen. */
function checkTold(shop: ShopRecords, service: ServiceRecords): Finding[] {
  const { receipts, receiptEvents } = shop;
  const byThemselves = sentByThemselves(shop);
  const theirs = groupBy(
    service.receipts.filter(({ id, offsetMinor }) => offsetMinor === 0 && !byThemselves.has(id)),
    ({ paymentId, refundId }) => keyOf(paymentId, refundId),
  );
  const events = groupBy(
    receiptEvents.filter(({ receiptId }) => receiptId === null),
    ({ paymentId, refundId }) => keyOf(paymentId, refundId),
  );
  return receipts.flatMap((row) => {
    const own = theirs.get(keyOf(row.servicePaymentId, row.serviceRefundId)) ?? [];
    const told = events.get(keyOf(row.paymentId, row.refundId)) ?? [];
    const last = own.at(0)?.status ?? null;
    if (row.status !== last)
      return [lost(`${nameOf(row)} is ${row.status} here, and ${last} at the service`)];
    if (!row.missing) return toldOnce({ name: nameOf(row), status: row.status }, own, told);
    const failed = told.filter(({ name }) => name === 'receipt.failed').length;
    return failed === 1 ? [] : [wrong(`${nameOf(row)} is missing, and has ${failed} events receipt.failed`)];
  });
}

function nameOf({ paymentId, refundId }: ReceiptRow): string {
  return `the receipt of ${refundId === null ? `payment ${paymentId}` : `refund ${refundId}`}`;
}

function keyOf(paymentId: string, refundId: string | null): string {
  return `${paymentId} ${refundId ?? ''}`;
}
