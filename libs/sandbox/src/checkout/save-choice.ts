import { html, type Html } from '../pages/html.js';
import type { Payment } from '../payments/payment.js';

/** The buyer's own choice to have a card or wallet saved, where the shop leaves it to them. */
export function saveChoice({ saving }: Payment): Html | null {
  if (saving !== 'chosen') return null;
  return html`<label class="save">
    <input type="checkbox" name="save" value="yes" id="save" data-testid="save" />
    Save it for later payments in this shop
  </label>`;
}
