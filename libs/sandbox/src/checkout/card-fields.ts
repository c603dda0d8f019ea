import { html, type Html } from '../pages/html.js';
import type { CardErrors, CardField } from './card-form.js';

/** The fields for a card, each error beside its field; `more` below them. */
export function cardFields(errors: CardErrors, more: Html | null): Html {
  return html`<div class="card-fields">
    ${cardField('number', 'Card number', '5555 5555 5555 4444', errors)}
    <div class="pair">
      ${cardField('expiry', 'Expiry', 'MM/YY', errors)} ${cardField('csc', 'CSC', '123', errors)}
    </div>
    ${more}
  </div>`;
}

const autocomplete: Readonly<Record<CardField, string>> = {
  number: 'cc-number',
  expiry: 'cc-exp',
  csc: 'cc-csc',
};

/** Never shows what was typed before: card data is not sent back. */
function cardField(name: CardField, label: string, placeholder: string, errors: CardErrors): Html {
  const error = errors[name];
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      data-testid="${name}"
      inputmode="${name === 'expiry' ? 'text' : 'numeric'}"
      autocomplete="${autocomplete[name]}"
      placeholder="${placeholder}"
      ${error ? html`aria-invalid="true" aria-describedby="${name}-error"` : null}
    />
    ${error ? html`<p class="error" id="${name}-error" data-testid="${name}-error">${error}</p>` : null}
  </div>`;
}
