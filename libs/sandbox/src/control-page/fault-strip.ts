import type { OpenFaultOrder } from '../faults/fault-order.js';
import { html, type Html } from '../pages/html.js';
import { shape } from '../pages/shapes.js';
import { faultTerms, faultWords } from './fault-words.js';
import { actionButton } from './parts.js';
import { pathOf } from './places.js';

/** As many as stay readable above everything else. */
const MOST_SHOWN = 3;

/** Says on every page which faults wait for a request or a notification: nobody should have to look for the reason elsewhere. */
export function faultStrip(open: readonly OpenFaultOrder[]): Html {
  return html`<div id="fault-strip" data-live ${open.length === 0 ? html`hidden` : null}>
    ${open.length === 0 ? null : strip(open)}
  </div>`;
}

function strip(open: readonly OpenFaultOrder[]): Html {
  const more = open.length - MOST_SHOWN;
  return html`<div class="note is-warn strip" data-testid="fault-strip">
    ${shape('warn')}
    <ul>
      ${open
        .slice(0, MOST_SHOWN)
        .map(
          (fault) => html`<li>${faultWords(fault.order)} <span class="mute">${faultTerms(fault)}</span></li>`,
        )}
      ${more > 0 ? html`<li><a href="${pathOf({ tab: 'faults' })}">${String(more)} more</a></li>` : null}
    </ul>
    ${actionButton('clear-faults', {}, open.length === 1 ? 'Remove it' : 'Remove all', 'clear-faults')}
  </div>`;
}
