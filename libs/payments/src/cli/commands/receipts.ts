import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { momentText } from '../screen/texts.js';
import { remedyWords } from '../words.js';

export const addReceipts: AddCommand = (program, perform) => {
  program
    .command('receipts')
    .summary('receipts that failed, are late or are missing')
    .description(
      'Receipts that failed, are late or are missing and that nobody has taken care of, the oldest first, at most 100, each with what ' +
        'helps. Exit code 1: there is one.',
    )
    .action(async () => {
      await perform(async ({ operator }, screen) => {
        const items = await operator.receiptProblems();
        screen.result({ items }, () => {
          if (items.length === 0) {
            screen.line('No receipt needs a person.');
            return;
          }
          screen.table(
            ['since', 'state', 'of', 'payment', 'what helps'],
            items.map(({ since, kind, refundId, receiptKey, paymentId, remedy }) => [
              momentText(since),
              kind,
              `${refundId === null ? 'payment' : 'refund'}${receiptKey === null ? '' : ` (${receiptKey})`}`,
              paymentId,
              remedy === null
                ? 'Who registers receipts is not known: set fiscalization.register.'
                : remedyWords[remedy],
            ]),
          );
          screen.times();
        });
        return items.length > 0 ? exitCodes.wrong : exitCodes.well;
      });
    });
};
