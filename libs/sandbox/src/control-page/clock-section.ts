import { html, type Html } from '../pages/html.js';
import { momentText, spanText } from '../pages/spans.js';
import { timeUnits } from './actions.js';
import { actionButton, actionForm, select, textField } from './parts.js';

const steps = [
  { label: '+1 min', count: '1', unit: 'minutes' },
  { label: '+1 h', count: '1', unit: 'hours' },
  { label: '+1 day', count: '1', unit: 'days' },
  { label: '+7 days', count: '7', unit: 'days' },
] as const;

/** The sandbox's time, and how to move it. */
export function clockSection(now: Date, offsetMs: number, skewMs: number): Html {
  return html`<section id="clock" class="clock" data-live aria-labelledby="clock-title">
    <h2 id="clock-title">Clock</h2>
    <p>
      <time id="now" data-testid="now" datetime="${now.toISOString()}">${momentText(now)}</time> UTC,
      <span class="hint"
        >${Math.abs(offsetMs) < 1000 ? 'real time' : offsetText(offsetMs)}${skewText(skewMs)}</span
      >
    </p>
    <div class="buttons">
      ${steps.map(({ label, count, unit }) => actionButton('advance', { count, unit }, label, `advance-${count}-${unit}`))}
      ${actionForm(
        'advance',
        {},
        html`${textField('Move by', 'count', '30', html`inputmode="numeric" size="4"`)}
          ${select('Unit', 'unit', timeUnits)} <button data-testid="advance">Move</button>`,
      )}
    </div>
  </section>`;
}

function skewText(skewMs: number): string {
  return skewMs === 0
    ? ''
    : `, and its clock is ${spanText(Math.abs(skewMs))} ${skewMs > 0 ? 'fast' : 'slow'}`;
}

function offsetText(offsetMs: number): string {
  return `${spanText(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} real time`;
}
