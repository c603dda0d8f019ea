import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { cursorFlag, scopeIn, storeFlag, type StoreFlag } from '../flags.js';
import { amountText, momentText, shellQuoted } from '../screen/texts.js';
import { needsText } from '../words.js';

interface Flags extends StoreFlag {
  readonly cursor?: string;
}

export const addHolds: AddCommand = (program, perform) => {
  program
    .command('holds')
    .summary('held payments, the next to end first')
    .description(
      'Held payments, the next to end first, 50 a page; one whose end the service did not say is before all others. Exit code 1: one of ' +
        'them waits for a person.',
    )
    .addOption(cursorFlag())
    .addOption(storeFlag())
    .action(async ({ cursor, ...store }: Flags) => {
      await perform(async ({ operator }, screen) => {
        const page = await operator.holds({ ...scopeIn(store), ...(cursor !== undefined && { cursor }) });
        screen.result(page, () => {
          if (page.items.length === 0) {
            screen.line('Nothing is held.');
            return;
          }
          screen.table(
            ['ends', 'is handled', 'order', 'amount', 'payment', 'needs'],
            page.items.map(({ payment, needs }) => [
              momentText(payment.holdExpiresAt) || 'not said',
              momentText(payment.holdDueAt) || 'by a person',
              payment.orderReference,
              amountText(payment.amount),
              payment.id,
              needsText(needs),
            ]),
          );
          screen.times();
          if (page.nextCursor !== null)
            screen.line(`More: --cursor ${shellQuoted(page.nextCursor)}`, 'quiet');
        });
        const isAsked = page.items.some(({ needs }) => needs.includes('holds_flagged'));
        return isAsked ? exitCodes.wrong : exitCodes.well;
      });
    });
};
