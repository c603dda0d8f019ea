import { roubles } from '../../examples/shared/pages/format.js';
import { printHeading, printTable, styled } from '../common/print.js';
import { minor, shopPaidMinor, type ComparedPayment } from './books.js';

const headings = ['#', 'shop says', 'module booked', 'ledger booked', 'requests', 'effects', 'verdict'];

/** The shop's books beside the service's ledger, a line for each payment, and their totals. */
export function printBooks(
  compared: readonly ComparedPayment[],
  orderNumbers: ReadonlyMap<string, number>,
): void {
  printHeading('The shop’s books and the service’s ledger');
  console.log('  Booked: captured − refunded. Requests: charges, captures, cancels, refunds.');
  printTable(
    headings,
    compared.map((payment) => cells(payment, orderNumbers)),
  );

  const sum = (minorOf: (payment: ComparedPayment) => number): string =>
    roubles(compared.reduce((totalMinor, payment) => totalMinor + minorOf(payment), 0));
  const paid = {
    shop: sum(({ booked }) => (booked === null ? 0 : shopPaidMinor(booked))),
    module: sum(({ booked }) => booked?.capturedMinor ?? 0),
    ledger: sum(({ ledger }) => minor(ledger.captured)),
  };
  const refunded = {
    shop: sum(({ booked }) => booked?.effectsRefundedMinor ?? 0),
    module: sum(({ booked }) => booked?.refundedMinor ?? 0),
    ledger: sum(({ ledger }) => minor(ledger.refunded)),
  };
  const effects = compared.reduce((total, { booked }) => total + (booked?.effects.length ?? 0), 0);
  console.log(
    `\n  Paid in the shop ${paid.shop}, captured by the module ${paid.module}, by the ledger ${paid.ledger}` +
      `\n  Refunded in the shop ${refunded.shop}, by the module ${refunded.module}, by the ledger ${refunded.ledger}` +
      `\n  ${effects} effects of handlers`,
  );
}

function cells(
  { booked, ledger, differences }: ComparedPayment,
  orderNumbers: ReadonlyMap<string, number>,
): string[] {
  return [
    String(orderNumbers.get(booked?.orderReference ?? '') ?? '—'),
    booked?.orderState ?? '—',
    booked ? money(booked.capturedMinor, booked.refundedMinor) : '—',
    money(minor(ledger.captured), minor(ledger.refunded)),
    `${ledger.charges}, ${ledger.captures}, ${ledger.cancels}, ${ledger.refunds}`,
    booked ? effectsCell(booked.effects) : '—',
    differences.length === 0 ? styled('green', 'equal') : styled('red', 'DIFFERENT'),
  ];
}

function money(capturedMinor: number, refundedMinor: number): string {
  const refunded = refundedMinor > 0 ? ` − ${roubles(refundedMinor)}` : '';
  return `${roubles(capturedMinor)}${refunded}`;
}

/** `2: held, paid`; what happened several times is printed once: `3: paid, refunded × 2`. */
function effectsCell(effects: readonly string[]): string {
  const names = [...new Set(effects)].map((name) => {
    const times = effects.filter((effect) => effect === name).length;
    return times > 1 ? `${name} × ${times}` : name;
  });
  return names.length === 0 ? '0' : `${effects.length}: ${names.join(', ')}`;
}
