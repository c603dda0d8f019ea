import { testCardTable } from '../checkout/test-card-table.js';
import { html, type Html } from '../pages/html.js';

/** The cards that can be typed on the payment page, with their results. */
export function cardsTab(): Html {
  return html`<section class="panel" aria-labelledby="cards-title">
    <div class="head"><h2 id="cards-title">With any CSC and any future expiry</h2></div>
    ${testCardTable()}
  </section>`;
}
