import type { LedgerEntry } from '@holdfast/sandbox';
import { doubled, groupBy, lost, sum, unsettled, wrong, type Finding } from './finding.js';
import { movedMinor } from './moved.js';
import type { OwnReceiptRow, ServiceReceipt, ServiceRecords, ShopRecords } from './records.js';
import { toldOnce } from './told-once.js';

/** Under this key a prepayment is settled as a whole. */
const WHOLE = 'settlement';
/** Receipts that follow the money: the module's, and what somebody sends for a refund in the Merchant Profile. */
const AFTER_MONEY = /^(auto:|found-)/;
/** Of what was held or paid, each attempt. */
const OF_HOLD = /^auto:payment(~|$)/;
const UNSETTLED = ['owed', 'submitting', 'pending'];

/** Each receipt that is sent by itself was sent once and told once; a payment's offsets are no more than what was paid. */
export function checkOffsets(
  { ownReceipts, receiptEvents }: Pick<ShopRecords, 'ownReceipts' | 'receiptEvents'>,
  { receipts, ledger }: Pick<ServiceRecords, 'receipts' | 'ledger'>,
): Finding[] {
  const offsets = receipts.filter(({ offsetMinor }) => offsetMinor > 0);
  const byId = groupBy(receipts, ({ id }) => id);
  const known = new Set(ownReceipts.map(({ serviceId }) => serviceId));
  const theirs = groupBy(offsets, ({ paymentId }) => paymentId);
  const events = groupBy(receiptEvents, ({ receiptId }) => receiptId ?? '');
  const money = groupBy(ledger, ({ paymentId }) => paymentId);
  return [
    ...offsets
      .filter(({ id }) => !known.has(id))
      .map(({ id, paymentId }) => lost(`offset ${id} of payment ${paymentId} of the service is in no row`)),
    ...[...theirs].flatMap(([paymentId, own]) => {
      // A refused one may have been sent again.
      const offsetMinor = sum(
        own.filter(({ status }) => status !== 'canceled'),
        (offset) => offset.offsetMinor,
      );
      const paidMinor = movedMinor(money.get(paymentId) ?? [], 'capture');
      const what = `offsets of payment ${paymentId} of the service are ${offsetMinor} of ${paidMinor} paid`;
      return offsetMinor > paidMinor ? [doubled(what)] : [];
    }),
    ...ownReceipts.flatMap((row) => {
      const own = byId.get(row.serviceId ?? '') ?? [];
      return checkRow(row, own, money.get(row.servicePaymentId) ?? [], events.get(row.id) ?? []);
    }),
  ];
}

function checkRow(
  { id, receiptKey, status, serviceId }: OwnReceiptRow,
  own: readonly ServiceReceipt[],
  entries: readonly LedgerEntry[],
  told: readonly { readonly name: string }[],
): Finding[] {
  const name = `${AFTER_MONEY.test(receiptKey) ? `the receipt ${receiptKey}` : 'the offset'} ${id}`;
  // All money has moved, or never will.
  if (UNSETTLED.includes(status)) return [unsettled(`${name} is ${status}`)];
  if (status === 'void' && serviceId !== null)
    return [wrong(`${name} is void here, and ${own[0]?.status} at the service`)];
  // Refused or not owed, so there is none.
  if (serviceId === null) return [];
  const [their] = own;
  if (their?.status !== status)
    return [lost(`${name} is ${status} here, and ${their?.status} at the service`)];
  const isNeeded = !(OF_HOLD.test(receiptKey) && wasLetGo(entries));
  const keptMinor = movedMinor(entries, 'capture') - movedMinor(entries, 'refund');
  return [
    ...toldOnce({ name, status, isNeeded }, own, told),
    // What was given back may have been so before or after.
    ...(receiptKey === WHOLE && their.offsetMinor < keptMinor
      ? [lost(`${name} settles ${their.offsetMinor}, and ${keptMinor} was kept`)]
      : []),
  ];
}

/** The hold was canceled, or ran out, or a part of it captured. */
function wasLetGo(entries: readonly LedgerEntry[]): boolean {
  const isCaptured = entries.some(({ kind }) => kind === 'capture');
  return (
    entries.some(({ kind }) => kind === 'cancel') ||
    (isCaptured && movedMinor(entries, 'capture') < movedMinor(entries, 'charge'))
  );
}
