import { html, type Html } from './html.js';

interface Choice {
  readonly value: string;
  readonly testId: string;
  readonly label: string;
  readonly hint: string;
}

/** A list to choose one of; the first is chosen. */
export function choices(legend: string, name: string, list: readonly Choice[]): Html {
  return html`<fieldset class="list">
    <legend>${legend}</legend>
    ${list.map(
      ({ value, testId, label, hint }, index) =>
        html`<label class="choice">
          <input
            type="radio"
            name="${name}"
            value="${value}"
            data-testid="${testId}"
            ${index === 0 ? html`checked` : null}
          />
          ${label}
          <small>${hint}</small>
        </label>`,
    )}
  </fieldset>`;
}
