import { button } from '../../examples/shared/pages/form.js';
import { html } from '../../examples/shared/pages/html.js';
import { layout } from './layout.js';

interface Message {
  title: string;
  text: string;
  /** Sends the same request again. */
  retry?: { action: string; label: string };
  /** Address of the order that it is about. */
  order?: string | undefined;
}

export function messagePage({ title, text, retry, order }: Message): string {
  const body = html`
    <div class="narrow stack">
      <h1>${title}</h1>
      <p>${text}</p>
      <div class="actions">
        ${retry && button(retry.action, retry.label)}
        ${
          order
            ? html`<a class="button quiet" href="${order}">To the order</a>`
            : html`<a class="button quiet" href="/">Back to the shop</a>`
        }
      </div>
    </div>
  `;
  return layout({ title, body });
}
