import { html, type Html } from '../pages/html.js';
import { momentText, spanText } from '../pages/spans.js';
import { timeUnits } from './actions.js';
import { actionButton, actionForm, button, numberField, panel, select } from './parts.js';
import type { View } from './view.js';

const steps = [
  { label: '+1 min', count: '1', unit: 'minutes' },
  { label: '+1 h', count: '1', unit: 'hours' },
  { label: '+1 day', count: '1', unit: 'days' },
  { label: '+7 days', count: '7', unit: 'days' },
] as const;

/** The sandbox's time, whose clocks go by it, and how to move or break it. */
export function clockTab({ sandbox, now }: View): Html {
  const { clock, movesToo } = sandbox;
  return html`${panel(
      'clock',
      'Now',
      html`<div class="body stack">
        <p class="big">
          <time id="now" data-testid="now" datetime="${now.toISOString()}">${momentText(now)}</time> UTC
        </p>
        <p data-testid="offset">${clockText(clock.offsetMs(), clock.skewMs())}</p>
        <p class="mute" data-testid="clocks">
          ${
            movesToo === null
              ? html`Moving it moves this sandbox alone. An application in the same process goes by it too if
                  it is given <code>clock: sandbox.clock</code>.`
              : `Moving it moves the clocks of this sandbox and of ${movesToo}.`
          }
        </p>
      </div>`,
    )}
    <section class="panel" aria-labelledby="move-title">
      <div class="head"><h2 id="move-title">Move it</h2></div>
      <div class="body acts">
        ${steps.map(({ label, count, unit }) => actionButton('advance', { count, unit }, label, `advance-${count}-${unit}`))}
        ${actionForm(
          'advance',
          {},
          html`${numberField('Move by', 'count', '30')} ${select('Unit', 'unit', timeUnits)}
          ${button('Move', 'advance', true)}`,
        )}
      </div>
      <p class="empty">
        Whatever becomes due happens, in order: terms, holds, repeated notifications. Time never goes back.
      </p>
    </section>
    <section class="panel" aria-labelledby="skew-title">
      <div class="head"><h2 id="skew-title">Set it wrong</h2></div>
      <div class="body acts">
        ${actionForm(
          'skew',
          {},
          html`${numberField('Fast by, in seconds (slow: -60)', 'seconds', String(clock.skewMs() / 1000))}
          ${button('Set', 'skew')}`,
        )}
      </div>
      <p class="empty">
        What it shows is wrong then, in timestamps and in the date of answers; nothing becomes due sooner or
        later. 0 sets it right.
      </p>
    </section>`;
}

/** How the sandbox's clock differs from real time. */
export function clockText(offsetMs: number, skewMs: number): string {
  const offset =
    Math.abs(offsetMs) < 1000
      ? 'real time'
      : `${spanText(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} real time`;
  const skew =
    skewMs === 0 ? '' : `, and its clock is ${spanText(Math.abs(skewMs))} ${skewMs > 0 ? 'fast' : 'slow'}`;
  return `${offset}${skew}`;
}
