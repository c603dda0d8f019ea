import { roubles } from '../../examples/shared/pages/format.js';
import { askedOnceMore } from '../../examples/shared/pages/question.js';
import type { ShopOrder } from '../orders/shop-order.entity.js';
import type { MoneyAct, Question } from '../staff/asked.js';
import { layout } from './layout.js';

const words: Record<MoneyAct, { ask: (what: string) => string; yes: string; after: string }> = {
  ship: {
    ask: (sum) => `Charge ${sum} and ship the order?`,
    yes: 'Yes, charge and ship',
    after: 'The amount is charged at once. After that it can only be refunded.',
  },
  cancel: {
    ask: (sum) => `Release ${sum} and cancel the order?`,
    yes: 'Yes, release and cancel',
    after: 'The hold ends at once. To sell it again, the buyer has to pay again.',
  },
  refund: {
    ask: (sum) => `Refund ${sum}?`,
    yes: 'Yes, refund',
    after: 'The payment service sends it back to the buyer at once. It cannot be taken back.',
  },
};

/** Asks the staff once more, and moves nothing by itself. */
export function questionPage(
  { reference, buyerName }: Pick<ShopOrder, 'reference' | 'buyerName'>,
  { act, amountMinor, pieces, fields, hasChanged = false }: Question,
): string {
  const { ask, yes, after } = words[act];
  const sum = roubles(amountMinor);
  const title = ask(pieces === null ? sum : `${sum} for ${pieces} ${pieces === 1 ? 'piece' : 'pieces'}`);
  const address = `/staff/orders/${reference}`;
  const body = askedOnceMore({
    title,
    text: `Order ${reference} of ${buyerName}. ${after}`,
    hasChanged,
    action: `${address}/${act}`,
    fields,
    yes,
    back: { href: address, label: 'No, back to the order' },
  });
  return layout({ title, body });
}
