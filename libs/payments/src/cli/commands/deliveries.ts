import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { deliveryId, failedDeliveries, stateText } from '../failed-deliveries.js';
import { shellWord } from '../screen/texts.js';
import { addRetry } from './retry.js';

export const addDeliveries: AddCommand = (program, perform) => {
  const deliveries = program
    .command('deliveries')
    .summary('runs of handlers that failed, and their retry')
    .description(
      'Deliveries whose handler has failed: those that were given up, and those that are run again by themselves; at most 100 of each. ' +
        'Exit code 1: one was given up.',
    )
    .action(async () => {
      await perform(async ({ operator }, screen) => {
        const failed = await failedDeliveries(operator);
        screen.result({ items: failed }, () => {
          if (failed.length === 0) {
            screen.line('No delivery has failed.');
            return;
          }
          screen.table(
            ['delivery', 'event', 'payment', 'tries', 'state', 'last error'],
            failed.map((delivery) => [
              shellWord(deliveryId(delivery)),
              delivery.eventName,
              delivery.paymentId ?? '',
              String(delivery.attempts),
              stateText(delivery),
              delivery.lastError ?? '',
            ]),
          );
          screen.times();
          screen.line('Fix the cause, then: deliveries retry <delivery …>, --handler <id> or --all', 'quiet');
        });
        return failed.some(({ parkedAt }) => parkedAt !== null) ? exitCodes.wrong : exitCodes.well;
      });
    });
  addRetry(deliveries, perform);
};
