import { roubles } from '../pages/format.js';
import { minor, type ComparedPayment } from './books.js';
import { printHeading, printTable, styled } from './print.js';

const headings = [
  '#',
  'order',
  'shop says',
  'module says',
  'captured',
  'ledger: charges, captures, cancels',
  'ledger sum',
  'effects',
  'verdict',
];

/** The shop's books beside the service's ledger, a line for each payment, and their totals. */
export function printBooks(
  compared: readonly ComparedPayment[],
  orderNumbers: ReadonlyMap<string, number>,
): void {
  printHeading('The shop’s books and the service’s ledger');
  printTable(
    headings,
    compared.map((payment) => cells(payment, orderNumbers)),
  );

  const sum = (minorOf: (payment: ComparedPayment) => number): string =>
    roubles(compared.reduce((totalMinor, payment) => totalMinor + minorOf(payment), 0));
  const shop = sum(({ booked }) => (booked?.orderState === 'paid' ? booked.orderTotalMinor : 0));
  const module = sum(({ booked }) => booked?.capturedMinor ?? 0);
  const ledger = sum((payment) => minor(payment.ledger.captured));
  const effects = compared.reduce((total, { booked }) => total + (booked?.effects.length ?? 0), 0);
  console.log(
    `\n  Paid in the shop ${shop}, captured by the module ${module}, by the ledger ${ledger}; ${effects} effects`,
  );
}

function cells(
  { booked, ledger, differences }: ComparedPayment,
  orderNumbers: ReadonlyMap<string, number>,
): string[] {
  return [
    String(orderNumbers.get(booked?.orderReference ?? '') ?? '—'),
    booked?.orderReference ?? '—',
    booked?.orderState ?? '—',
    booked?.status ?? '—',
    booked ? roubles(booked.capturedMinor) : '—',
    `${ledger.charges}, ${ledger.captures}, ${ledger.cancels}`,
    roubles(minor(ledger.captured)),
    booked
      ? `${booked.effects.length}${booked.effects.length > 0 ? `: ${booked.effects.join(', ')}` : ''}`
      : '—',
    differences.length === 0 ? styled('green', 'equal') : styled('red', 'DIFFERENT'),
  ];
}
