import { parseAmount } from '@holdfast/payments';
import type { Store } from '@holdfast/payments/partner';

import { roubles } from '../../shared/pages/format.js';
import { askedOnceMore } from '../../shared/pages/question.js';
import type { Owner } from '../owners/owners.js';
import type { RefundQuestion } from '../stores/refund-question.js';
import { layout } from './layout.js';

/** Asks the store's owner once more, and moves nothing by itself. */
export function questionPage(
  owner: Owner,
  store: Store,
  { sale, payment, amount, fields }: RefundQuestion,
  hasChanged: boolean,
): string {
  const title = `Refund ${roubles(parseAmount(amount))} for ${sale.item}?`;
  const address = `/stores/${store.id}`;
  const body = askedOnceMore({
    title,
    text: `Purchase ${sale.reference}. The payment service sends it back to the buyer at once. It cannot be taken back.`,
    hasChanged,
    action: `${address}/payments/${payment.id}/refund`,
    fields,
    yes: 'Yes, refund',
    back: { href: address, label: 'No, back to the store' },
  });
  return layout({ title, body }, owner);
}
