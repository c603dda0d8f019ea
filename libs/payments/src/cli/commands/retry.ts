import { InvalidArgumentError } from 'commander';
import type { FailedDelivery } from '../../operator/failed-deliveries.js';
import type { PaymentsOperator } from '../../operator/payments-operator.service.js';
import { CommandError } from '../command-error.js';
import type { AddCommand } from '../command.js';
import { exitCodes, type ExitCode } from '../exit-codes.js';
import { deliveryId } from '../failed-deliveries.js';
import { actorFlag, scopeIn, storeFlag, type StoreFlag } from '../flags.js';
import type { Screen } from '../screen/screen.js';

interface Flags extends StoreFlag {
  readonly order?: string;
  readonly handler?: string;
  readonly all?: true;
  readonly actor: string;
}

type Delivery = Pick<FailedDelivery, 'eventId' | 'handlerId'>;

export const addRetry: AddCommand = (deliveries, perform) => {
  deliveries
    .command('retry')
    .summary('has failed deliveries run again at once')
    .description(
      'Has failed deliveries run again at once, by the processes that sweep: those named, those of an order, those given up of a handler, or all ' +
        'that were given up. Exit code 1: none of them, or not all, could be.',
    )
    .argument('[delivery...]', 'as the list of deliveries names it: 42/orders.mark-paid', deliveryOf)
    .option('--order <reference>', 'every failed delivery of this order')
    .option('--handler <id>', 'every delivery of this handler that was given up')
    .option('--all', 'every delivery that was given up')
    .addOption(actorFlag())
    .addOption(storeFlag())
    .action(async (named: Delivery[], flags: Flags) => {
      const { order, handler, all } = flags;
      const ways = [named.length > 0, order !== undefined, handler !== undefined, all === true];
      await perform(async ({ operator }, screen) => {
        if (ways.filter(Boolean).length !== 1)
          throw new CommandError(
            'Say which deliveries: <delivery …>, --order, --handler or --all, one of them.',
            exitCodes.usage,
          );
        if (handler !== undefined || all === true) {
          const count = await operator.retryAll({
            by: flags.actor,
            ...(handler !== undefined && { handlerId: handler }),
          });
          screen.result({ retried: count }, () =>
            screen.line(count === 0 ? 'No delivery was given up.' : `${count} will be run again now.`),
          );
          return count === 0 ? exitCodes.wrong : exitCodes.well;
        }
        const asked =
          order === undefined ? named : (await operator.problemsOf(order, scopeIn(flags))).deliveries;
        return retryEach(operator, screen, asked, flags.actor);
      });
    });
};

async function retryEach(
  operator: PaymentsOperator,
  screen: Screen,
  asked: readonly Delivery[],
  by: string,
): Promise<ExitCode> {
  const results: { delivery: string; isRetried: boolean }[] = [];
  for (const delivery of asked) {
    const isRetried = await operator.retryDelivery(delivery.eventId, delivery.handlerId, { by });
    results.push({ delivery: deliveryId(delivery), isRetried });
  }
  screen.result({ deliveries: results }, () => {
    if (results.length === 0) screen.line('No delivery of this order has failed.');
    for (const { delivery, isRetried } of results)
      if (isRetried) screen.line(`✔ ${delivery} will be run again now.`, 'good');
      else
        screen.line(
          `✖ ${delivery}: nothing to run: no such delivery, or a delivery that is done or runs just now.`,
          'bad',
        );
  });
  const isWell = results.length > 0 && results.every(({ isRetried }) => isRetried);
  return isWell ? exitCodes.well : exitCodes.wrong;
}

function deliveryOf(text: string, before: readonly Delivery[] = []): Delivery[] {
  const [, eventId = '', handlerId = ''] = /^([1-9]\d{0,17})\/(\S+)$/.exec(text) ?? [];
  if (handlerId === '')
    throw new InvalidArgumentError('A delivery is named as in the list, such as 42/orders.mark-paid.');
  return [...before, { eventId, handlerId }];
}
