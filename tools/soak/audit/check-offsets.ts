import type { LedgerEntry } from '@holdfast/sandbox';
import { doubled, groupBy, lost, sum, unsettled, type Finding } from './finding.js';
import { movedMinor } from './moved.js';
import type { OwnReceiptRow, ServiceReceipt, ServiceRecords, ShopRecords } from './records.js';
import { toldOnce } from './told-once.js';

/** Under this key a prepayment is settled as a whole. */
const WHOLE = 'settlement';

/** Each offset of a prepayment was sent once and told once, and a payment's are no more than what was paid. */
export function checkOffsets(
  { ownReceipts, receiptEvents }: Pick<ShopRecords, 'ownReceipts' | 'receiptEvents'>,
  { receipts, ledger }: Pick<ServiceRecords, 'receipts' | 'ledger'>,
): Finding[] {
  const offsets = receipts.filter(({ offsetMinor }) => offsetMinor > 0);
  const known = new Set(ownReceipts.map(({ serviceId }) => serviceId));
  const theirs = groupBy(offsets, ({ paymentId }) => paymentId);
  const events = groupBy(receiptEvents, ({ receiptId }) => receiptId ?? '');
  const money = groupBy(ledger, ({ paymentId }) => paymentId);
  return [
    ...offsets
      .filter(({ id }) => !known.has(id))
      .map(({ id, paymentId }) => lost(`offset ${id} of payment ${paymentId} of the service is in no row`)),
    ...[...theirs].flatMap(([paymentId, own]) => {
      const offsetMinor = sum(own, (offset) => offset.offsetMinor);
      const paidMinor = movedMinor(money.get(paymentId) ?? [], 'capture');
      const what = `offsets of payment ${paymentId} of the service are ${offsetMinor} of ${paidMinor} paid`;
      return offsetMinor > paidMinor ? [doubled(what)] : [];
    }),
    ...ownReceipts.flatMap((row) => {
      const own = theirs.get(row.servicePaymentId)?.filter(({ id }) => id === row.serviceId) ?? [];
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
  const name = `the offset ${id}`;
  if (status === 'submitting' || status === 'pending') return [unsettled(`${name} is ${status}`)];
  // Refused, so there is none.
  if (serviceId === null) return [];
  const [their] = own;
  if (their?.status !== status)
    return [lost(`${name} is ${status} here, and ${their?.status} at the service`)];
  const keptMinor = movedMinor(entries, 'capture') - movedMinor(entries, 'refund');
  return [
    ...toldOnce({ name, status }, own, told),
    // What was given back may have been so before or after.
    ...(receiptKey === WHOLE && their.offsetMinor < keptMinor
      ? [lost(`${name} settles ${their.offsetMinor}, and ${keptMinor} was kept`)]
      : []),
  ];
}
