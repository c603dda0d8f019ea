import type { Books } from '../books/books.js';
import type { Ledger, LedgerReport } from '../ledger/ledger.js';
import { isShort, receiptBalance, type ReceiptBalance, type ReceiptReport } from './receipt-balance.js';

/** What really happened to money, and what receipts say of it. */
export interface LedgerControl extends Pick<Ledger, 'entries' | 'totals' | 'requestCount'> {
  /** All of it as one JSON-ready object. */
  report(): LedgerReport & ReceiptReport;
  /** What receipts say of the money, for every payment of a store that sends them. */
  receipts(): ReceiptBalance[];
  /** Those whose receipts, registered or still on their way, do not add up to the money. */
  receiptsShort(): ReceiptBalance[];
}

export function ledgerControl(
  ledger: Ledger,
  { payments, receipts }: Pick<Books, 'payments' | 'receipts'>,
): LedgerControl {
  const balances = () =>
    payments
      .newestFirst()
      .flatMap(
        (payment) => receiptBalance(payment, ledger.totals(payment.id), receipts.of(payment.id)) ?? [],
      );
  const short = () => balances().filter(isShort);
  return {
    entries: (id) => ledger.entries(id),
    totals: (id) => ledger.totals(id),
    requestCount: (filter) => ledger.requestCount(filter),
    report: () => ({ ...ledger.report(), receipts: balances(), receiptsShort: short() }),
    receipts: balances,
    receiptsShort: short,
  };
}
