import { button } from '../../examples/shared/pages/form.js';
import { html, type Html } from '../../examples/shared/pages/html.js';
import type { ChosenWay } from '../orders/ways-to-pay.js';
import { wayNames } from './way-names.js';

/** A form for each: a choice half made in one would be lost when the page reloads itself. */
export function otherWaysPanel(reference: string, ways: readonly ChosenWay[]): Html {
  return html`<section class="panel" aria-label="Other ways to pay">
    <h2>Or pay another way</h2>
    <div class="actions">
      ${ways.map((way) => button(`/orders/${reference}/pay`, wayNames[way], true, fieldOf(way)))}
    </div>
  </section>`;
}

function fieldOf(way: ChosenWay): Html {
  return html`<input type="hidden" name="wayToPay" value="${way}" />`;
}
