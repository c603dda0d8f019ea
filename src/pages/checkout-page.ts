import { roubles } from '../../examples/shared/pages/format.js';
import { html, type Html } from '../../examples/shared/pages/html.js';
import type { Product } from '../catalog/products.js';
import { maxQuantity, type CheckoutForm, type FormFaults } from '../orders/checkout-form.js';
import { longestEmail } from '../orders/receipt-email.js';
import type { WayToPay } from '../orders/ways-to-pay.js';
import { illustration } from './illustration.js';
import { layout } from './layout.js';
import { wayNames } from './way-names.js';

interface Checkout {
  product: Product;
  reference: string;
  form: CheckoutForm;
  faults: FormFaults;
  /** None: the service's page asks for it. */
  offered: readonly WayToPay[];
}

const onTheDayWeShip = 'The next page reserves the amount on your card. We charge it on the day we ship.';
const whenPaid: Record<Product['sale'], string> = {
  stock: 'You pay on the next page. We post it tomorrow morning.',
  in_advance: 'You pay on the next page, in advance. We hand it over in the shop.',
  pre_order: onTheDayWeShip,
  made_to_order: onTheDayWeShip,
};

export function checkoutPage({ product, reference, form, faults, offered }: Checkout): string {
  const field = (name: 'name' | 'email' | 'quantity', label: string, attributes: Html): Html => html`
    <label>
      ${label}
      <input name="${name}" value="${shown(form[name])}" ${attributes} ${faults[name] && invalid(name)} />
      ${faults[name] && html`<span class="fault" id="${name}-fault" role="alert">${faults[name]}</span>`}
    </label>
  `;
  const body = html`
    <div class="narrow">
      <a class="back" href="/products/${product.slug}">← ${product.name}</a>
      <h1>Checkout</h1>
      <div class="panels">
        <section class="panel">
          <div class="line">
            ${illustration(product)}
            <div>
              <h2>${product.name}</h2>
              <p class="soft small">${product.size}</p>
            </div>
            <span class="price">${roubles(product.priceMinor)}</span>
          </div>
        </section>
        <form class="panel fields" method="post" action="/orders/${reference}" novalidate>
          <input type="hidden" name="productSlug" value="${product.slug}" />
          ${field('name', 'Name', html`autocomplete="name" maxlength="100" required`)}
          ${field('email', 'E-mail', html`type="email" autocomplete="email" inputmode="email" maxlength="${longestEmail}" required`)}
          ${field('quantity', 'Quantity', html`type="number" min="1" max="${maxQuantity}" step="1" required`)}
          ${offered.length > 0 && waysField(offered, form, faults)}
          <p class="soft small">${whenPaid[product.sale]}</p>
          <div class="actions"><button class="button" type="submit">Continue to payment</button></div>
        </form>
      </div>
    </div>
  `;
  return layout({ title: 'Checkout', body });
}

function waysField(offered: readonly WayToPay[], { wayToPay }: CheckoutForm, faults: FormFaults): Html {
  const fault = faults.wayToPay;
  return html`<label>
    Pay by
    <select name="wayToPay" ${fault && invalid('wayToPay')}>
      <option value="">Choose on the next page</option>
      ${offered.map(
        (way) => html`<option value="${way}" ${way === wayToPay && html`selected`}>${wayNames[way]}</option>`,
      )}
    </select>
    ${fault && html`<span class="fault" id="wayToPay-fault" role="alert">${fault}</span>`}
  </label>`;
}

/** A quantity that was not a number is left for the buyer to type again. */
function shown(value: string | number): string {
  return Number.isNaN(value) ? '' : String(value);
}

function invalid(name: string): Html {
  return html`aria-invalid="true" aria-describedby="${name}-fault"`;
}
