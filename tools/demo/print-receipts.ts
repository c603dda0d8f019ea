import { roubles } from '../../examples/shared/pages/format.js';
import { printHeading, printTable } from '../common/print.js';
import { minor } from './books.js';
import { signed, type ComparedReceipts } from './receipts.js';

const headings = [
  '#',
  'order',
  'ledger: captured − refunded',
  'receipts registered',
  'made by hand',
  'prepaid, settled',
];

/** What the receipts of each payment add up to, beside its money. */
export function printReceipts(
  compared: readonly ComparedReceipts[],
  orderNumbers: ReadonlyMap<string, number>,
): void {
  printHeading('The receipts and the money');
  printTable(
    headings,
    compared.map(({ booked, ledger, receipts }) => [
      String(orderNumbers.get(booked?.orderReference ?? '') ?? '—'),
      booked?.orderReference ?? '—',
      roubles(minor(ledger.captured) - minor(ledger.refunded)),
      signed(receipts.registeredMinor),
      signed(receipts.byHandMinor),
      receipts.settledMinor > 0 ? roubles(receipts.settledMinor) : '—',
    ]),
  );
  const sum = (minorOf: (payment: ComparedReceipts) => number): string =>
    signed(compared.reduce((total, payment) => total + minorOf(payment), 0));
  const kept = sum(({ ledger }) => minor(ledger.captured) - minor(ledger.refunded));
  const registered = sum(({ receipts }) => receipts.registeredMinor);
  const byHand = sum(({ receipts }) => receipts.byHandMinor);
  console.log(`\n  Kept ${kept}, by registered receipts ${registered}, by those made by hand ${byHand}`);
  if (compared.every(({ differences }) => differences.length === 0))
    console.log('  Receipts and money agree to the kopeck, payment by payment');
}
