import { operatorStyle } from '../../../style/src/index.js';
import { Html, html } from '../pages/html.js';
import type { Page } from '../pages/page.js';
import { shape, sprite } from '../pages/shapes.js';
import { momentText } from '../pages/spans.js';
import { clockText } from './clock-tab.js';
import { faultStrip } from './fault-strip.js';
import { liveScript } from './live.text.js';
import { pathOf, tabs, tabsOf, type Place, type Tab } from './places.js';
import { controlStyle } from './style.js';
import type { View } from './view.js';

/** The result of the form that was sent. */
export interface Message {
  readonly text: string;
  readonly good: boolean;
}

/** The page of a place: what all of them have around its content. */
export function framed(place: Place, view: View, content: Html, message: Message | null): Page {
  const { title } = tabs[place.tab];
  return {
    title: `${title} – Sandbox`,
    style: new Html(`${operatorStyle}${controlStyle}`),
    scripts: [liveScript],
    content: html`${sprite}
      <a class="skip" href="#main">Skip to the content</a>
      <div class="frame">
        ${navigation(place, view)}
        <div>
          ${top(view)}
          <main id="main" tabindex="-1" data-address="${pathOf(place)}">
            ${message && said(message)} ${faultStrip(view.sandbox.faults.list())}
            ${place.id === undefined ? html`<h1>${title}</h1>` : null} ${content}
          </main>
        </div>
      </div>`,
  };
}

function navigation({ tab: current, id }: Place, view: View): Html {
  const shown = tabsOf(view.stores.own.names);
  const groups = [...new Set(shown.map((tab) => tabs[tab].group))];
  return html`<nav class="side" id="nav" aria-label="Sandbox" popover>
    <a class="brand" href="/sandbox/">Sandbox</a>
    ${groups.map(
      (group, index) =>
        html`<div>
          <p class="group" id="group-${String(index)}">${group}</p>
          <ul aria-labelledby="group-${String(index)}">
            ${shown
              .filter((tab) => tabs[tab].group === group)
              .map(
                (tab) =>
                  html`<li>
                    <a
                      href="${pathOf({ tab })}"
                      data-testid="tab-${tab}"
                      ${tab === current ? html`aria-current="${id === undefined ? 'page' : 'true'}"` : null}
                      >${tabs[tab].title} ${count(tab, view)}</a
                    >
                  </li>`,
              )}
          </ul>
        </div>`,
    )}
    ${foot(view)}
  </nav>`;
}

/** What of a tab may need a look. */
function count(tab: Tab, { sandbox }: View): Html {
  const [number, tone, words] = counts[tab]?.(sandbox) ?? [0, 'calm', ''];
  return html`<span class="count is-${tone}" id="count-${tab}" data-live>
    ${number === 0 ? null : html`${tone === 'calm' ? null : shape('warn')}${String(number)}<span class="vh"> ${words}</span>`}
  </span>`;
}

type Count = readonly [number: number, tone: 'calm' | 'warn', words: string];

const counts: Readonly<Partial<Record<Tab, (sandbox: View['sandbox']) => Count>>> = {
  payments: ({ payments }) => [
    payments.list().filter(({ status }) => status === 'pending' || status === 'waiting_for_capture').length,
    'calm',
    'not over',
  ],
  notifications: ({ notifications }) => [
    notifications.list().filter(({ attempts }) => attempts.length > 0 && attempts.at(-1)?.status !== 200)
      .length,
    'warn',
    'not acknowledged',
  ],
  faults: ({ faults }) => [faults.list().length, 'warn', 'wait'],
  refunds: ({ refunds }) => [
    refunds.list().filter(({ status }) => status === 'pending').length,
    'calm',
    'pending',
  ],
};

function foot({ sandbox: { stateFile, url }, stores: { own } }: View): Html {
  return html`<div class="foot">
    <p>${own.demo ? 'Demo store' : 'Store'} <code data-testid="store">${own.accountId}</code></p>
    <p>REST API <code>${url}/v3</code></p>
    <p data-testid="state">
      ${
        stateFile === null
          ? html`All of it is in memory and lost when the sandbox stops: <code>--state-file FILE</code> keeps
              payments, refunds, receipts and saved methods for the next run.`
          : html`Payments, refunds, receipts and saved methods are kept for the next run, in
              <code>${stateFile}</code>.`
      }
    </p>
  </div>`;
}

function top({ sandbox: { clock }, now }: View): Html {
  return html`<header class="top">
    <a class="brand" href="/sandbox/">Sandbox</a>
    <button class="btn open" type="button" popovertarget="nav">Menu</button>
    <p class="asof">
      <a href="${pathOf({ tab: 'clock' })}" id="as-of" data-live
        ><time datetime="${now.toISOString()}">${momentText(now)}</time> UTC,
        ${clockText(clock.offsetMs(), clock.skewMs())}</a
      >
      <label class="tick" hidden><input type="checkbox" id="live" checked /> live</label>
      <span id="connection" role="status"></span>
      <noscript><a href="">Read again</a></noscript>
    </p>
  </header>`;
}

function said({ text, good }: Message): Html {
  return html`<div
    class="note is-${good ? 'good' : 'bad'}"
    role="${good ? 'status' : 'alert'}"
    data-testid="said"
  >
    ${shape(good ? 'tick' : 'stop')}
    <p>${text}</p>
  </div>`;
}
