import type { PaymentRecord } from '../../operator/lists/payment-record.js';
import type { PaymentsOperator } from '../../operator/payments-operator.service.js';
import type { FoundPayment } from '../../operator/search/payment-search.js';
import type { AddCommand } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import { scopeIn, storeFlag, type StoreFlag } from '../flags.js';
import { showRecord } from '../show-record.js';
import { showPayments } from './search.js';

export const addPayment: AddCommand = (program, perform) => {
  program
    .command('payment')
    .summary('all that is kept of a payment or of an order')
    .description(
      'All that is kept of one payment: money, what it needs, requests, refunds, receipts, deliveries and timeline. Of an order with several ' +
        'payments: the one that needs something, else the newest, and the others in a list; with --json all of them, at most 50. The service ' +
        'is not asked, and the buyer is not named. Exit code 1: there is none, or it needs something.',
    )
    .argument('<id or order>', "an order, our id, or the service's id of a payment or refund")
    .addOption(storeFlag())
    .action(async (text: string, flags: StoreFlag) => {
      await perform(async ({ operator }, screen) => {
        const { items } = await operator.search({ text, ...scopeIn(flags) });
        const found = namedBy(text, items);
        const shown = found.find(({ needs }) => needs.length > 0) ?? found[0];
        if (shown === undefined) {
          screen.result({ items: [] }, () => screen.line(`There is no payment or order ${text}.`));
          return exitCodes.wrong;
        }
        const records = await recordsOf(operator, screen.isJson ? found : [shown]);
        screen.result({ items: records.map(withoutBuyer) }, () => {
          for (const record of records) showRecord(screen, record);
          const others = found.filter((one) => one !== shown);
          if (others.length === 0) return;
          screen.line();
          screen.line(`Other payments of order ${shown.payment.orderReference}`, 'quiet');
          showPayments(screen, others);
        });
        return found.some(({ needs }) => needs.length > 0) ? exitCodes.wrong : exitCodes.well;
      });
    });
};

/** A text of four digits finds cards too: whoever names an order or an id means nothing else. */
function namedBy(text: string, items: readonly FoundPayment[]): readonly FoundPayment[] {
  const name = text.trim();
  const ofOrder = items.filter(({ payment }) => payment.orderReference === name);
  if (ofOrder.length > 0) return ofOrder;
  const byId = items.filter(({ payment }) => payment.id === name || payment.serviceId === name);
  // The id of a refund is in no payment.
  return byId.length > 0 ? byId : items.slice(0, 1);
}

async function recordsOf(
  operator: PaymentsOperator,
  found: readonly FoundPayment[],
): Promise<PaymentRecord[]> {
  const records: PaymentRecord[] = [];
  for (const { payment } of found)
    records.push(await operator.inspect(payment.id, scopeIn({ store: payment.store })));
  return records;
}

/** The service's own object and the bodies of notifications name the buyer. */
function withoutBuyer({ object: _object, notifications, ...record }: PaymentRecord): object {
  return { ...record, notifications: notifications.map(({ body: _body, ...notification }) => notification) };
}
