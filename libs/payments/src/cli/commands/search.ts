import { Option } from 'commander';
import { paymentStatuses, type PaymentStatus } from '../../common/payment-status.js';
import type { PaymentPage } from '../../operator/search/payment-search.js';
import type { AddCommand } from '../command.js';
import { exitCodes, type ExitCode } from '../exit-codes.js';
import { cursorFlag, momentOf, scopeIn, storeFlag, type StoreFlag } from '../flags.js';
import type { Screen } from '../screen/screen.js';
import { amountText, momentText, shellQuoted } from '../screen/texts.js';
import { methodText, needsText } from '../words.js';

interface Flags extends StoreFlag {
  readonly status?: PaymentStatus;
  readonly from?: Date;
  readonly to?: Date;
  readonly cursor?: string;
}

export const addSearch: AddCommand = (program, perform) => {
  program
    .command('search')
    .summary('payments: all, those of a status, or what a text finds')
    .description(
      "Payments, the newest first, 50 a page. A text is an order, our id or the service's of a payment or refund, the last four digits " +
        'of a card (*4444) or an amount (1 234,50). Exit code 1: none was found.',
    )
    .argument('[text]', 'what to look for')
    .addOption(new Option('--status <status>', 'only those of this status').choices(paymentStatuses))
    .option('--from <moment>', 'created at this day (UTC) or moment, or later', momentOf)
    .option('--to <moment>', 'created before it', momentOf)
    .addOption(cursorFlag())
    .addOption(storeFlag())
    .action(async (text: string | undefined, { store, ...flags }: Flags) => {
      await perform(async ({ operator }, screen) => {
        const page = await operator.search({
          ...flags,
          ...scopeIn({ ...(store !== undefined && { store }) }),
          ...(text !== undefined && { text }),
        });
        return showPage(screen, page);
      });
    });
};

/** A page of payments, and how to see the next. */
export function showPage(screen: Screen, page: PaymentPage): ExitCode {
  screen.result(page, () => {
    if (page.items.length === 0) screen.line('No payment was found.');
    else showPayments(screen, page.items);
    if (page.nextCursor !== null) screen.line(`More: --cursor ${shellQuoted(page.nextCursor)}`, 'quiet');
  });
  return page.items.length === 0 ? exitCodes.wrong : exitCodes.well;
}

export function showPayments(screen: Screen, items: PaymentPage['items']): void {
  screen.table(
    ['created', 'order', 'amount', 'status', 'paid by', 'payment', 'needs'],
    items.map(({ payment, needs }) => [
      momentText(payment.createdAt),
      payment.orderReference,
      amountText(payment.amount),
      payment.status,
      methodText(payment),
      payment.id,
      needsText(needs),
    ]),
  );
  screen.times();
}
