import type { Store } from '@holdfast/payments/partner';

import { button } from '../../shared/pages/form.js';
import { roubles } from '../../shared/pages/format.js';
import { waitingHeadlines, type Headline } from '../../shared/pages/headline.js';
import { html } from '../../shared/pages/html.js';
import { paymentPanel } from '../../shared/pages/payment-panel.js';
import { failureText } from '../../shared/pages/payment-words.js';
import { waitingFor } from '../../shared/pages/waiting.js';
import type { Owner } from '../owners/owners.js';
import { standing, type SaleView, type Standing } from '../sales/sale-view.js';
import { layout } from './layout.js';
import { nameOf } from './store-words.js';

const headlines: Record<Standing, Headline> = {
  unpaid: { tone: 'wait', title: 'Not paid yet', text: 'Your purchase is waiting for you.', pay: 'Pay' },
  ...waitingHeadlines,
  paid: { tone: 'good', title: 'Paid, thank you', text: 'The shop knows, and gets it ready for you.' },
  payment_failed: { tone: 'bad', title: 'The payment did not go through', text: '', pay: 'Try again' },
};

interface Visit {
  visitor: Owner | null;
  /** How often the page has been looked at. */
  looks: string | undefined;
}

/** One purchase, for its buyer. */
export function salePage(view: SaleView, store: Store, { visitor, looks }: Visit): string {
  const { sale, payments } = view;
  const stands = standing(view);
  const { tone, title, text, pay, reloadAfterSeconds } = headlines[stands];
  const body = html`
    <div class="narrow">
      <a class="back" href="/shops/${store.id}">← ${nameOf(store)}</a>
      <div class="state ${tone}">
        <p class="mark">Purchase ${sale.reference}</p>
        <h1 id="sale-state" data-standing="${stands}">${title}</h1>
        <p>${stands === 'payment_failed' ? failureText(payments.at(-1)?.payment) : text}</p>
        ${pay !== undefined && html`<div class="actions">${button(`/sales/${sale.reference}/pay`, pay)}</div>`}
      </div>
      <div class="panels">
        <section class="panel">
          <div class="head">
            <div>
              <h2>${sale.item}</h2>
              <p class="soft small">${nameOf(store)}</p>
            </div>
            <span class="price">${roubles(sale.priceMinor)}</span>
          </div>
        </section>
        ${payments.toReversed().map(paymentPanel)}
      </div>
    </div>
  `;
  return layout({ title, body, waiting: waitingFor(reloadAfterSeconds, looks) }, visitor);
}
