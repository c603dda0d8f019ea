import {
  apiFaultNames,
  faultTargets,
  notificationFaultNames,
  type OpenFaultOrder,
} from '../faults/fault-order.js';
import { html, type Html } from '../pages/html.js';
import { actionButton, actionForm, section, textField } from './parts.js';

/** The faults ordered and not used up, and a form for one more. */
export function faultsSection(open: readonly OpenFaultOrder[]): Html {
  const number = html`inputmode="numeric" size="5"`;
  const form = actionForm(
    'order-fault',
    {},
    html`<label
        ><span class="hint">On</span>
        <select name="on">
          ${faultTargets.map((target) => html`<option>${target}</option>`)}
        </select>
      </label>
      <label
        ><span class="hint">Fault</span>
        <select name="fault">
          <optgroup label="on requests">
            ${apiFaultNames.map((name) => html`<option>${name}</option>`)}
          </optgroup>
          <optgroup label="on notifications">
            ${notificationFaultNames.map((name) => html`<option>${name}</option>`)}
          </optgroup>
        </select>
      </label>
      ${textField('Times', 'times', '1', number)} ${textField('ms', 'ms', '', number)}
      ${textField('retry_after', 'retry_after', '', number)} ${textField('copies', 'copies', '', number)}
      <button data-testid="order-fault">Order</button>`,
  );
  const list = html`<ul class="rows">
    ${open.map(openItem)}
  </ul>`;
  return section(
    'faults',
    'Faults',
    html`<div class="buttons">${form}</div>
      <p class="hint">
        ms: how long a stall or delay takes, or how far a wrong_date is ahead. retry_after: how long 429 and
        202 make the shop wait, in ms. copies: how many more a duplicate sends.
      </p>
      ${
        open.length === 0
          ? html`<p class="empty">None ordered.</p>`
          : html`${list} ${actionButton('clear-faults', {}, 'Remove all faults', 'clear-faults')}`
      }`,
  );
}

function openItem({ order, left }: OpenFaultOrder): Html {
  const details = (['ms', 'retry_after', 'copies'] as const)
    .filter((name) => order[name] !== undefined)
    .map((name) => `, ${name} ${String(order[name])}`);
  return html`<li data-testid="fault">
    <div>
      <strong>${order.fault}</strong> on ${order.on}
      <span class="hint">${String(left)} left${details.join('')}</span>
    </div>
  </li>`;
}
