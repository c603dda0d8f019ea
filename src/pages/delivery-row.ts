import type { FailedDelivery } from '@holdfast/payments';

import { button } from '../../examples/shared/pages/form.js';
import { moment } from '../../examples/shared/pages/format.js';
import { html, type Html } from '../../examples/shared/pages/html.js';

/** A delivery that has failed; `orderReference`: not on the page of its order. */
export function deliveryRow(delivery: FailedDelivery, orderReference: string | null = null): Html {
  const { eventId, handlerId, eventName, attempts, lastError, parkedAt, nextAttemptAt } = delivery;
  const tries = attempts === 1 ? 'one try' : `${attempts} tries`;
  const outlook =
    parkedAt === null
      ? `failed after ${tries}, ${nextAttemptAt === null ? 'running now' : `run again at ${moment(nextAttemptAt)}`}`
      : `given up after ${tries}, ${moment(parkedAt)}`;
  return html`<li data-${parkedAt === null ? 'failing' : 'parked'}="${handlerId}">
    <div>
      <p><code>${eventName}</code> → <code>${handlerId}</code></p>
      <p class="small">${lastError}</p>
      <p class="soft small">${orderReference !== null && html`${orderLink(orderReference)} ·`} ${outlook}</p>
    </div>
    ${button(`/staff/deliveries/${encodeURIComponent(handlerId)}/${eventId}/retry`, 'Run again', true)}
  </li>`;
}

export function orderLink(reference: string): Html {
  return html`<a href="/staff/orders/${reference}">Order ${reference}</a>`;
}
