import type { RequestReport } from '../journal/exchange.js';
import { html, type Html } from '../pages/html.js';
import { status, type ShapeName, type Tone } from '../pages/shapes.js';
import { apiFaultWords } from './fault-words.js';
import { empty, json, momentAgo, newest, panel, paymentLink, table } from './parts.js';
import type { View } from './view.js';

const MOST_SHOWN = 100;

/** The requests of the shop and its apps, newest first, and which fault hit each. */
export function requestsTab({ sandbox, stores, now }: View): Html {
  const { shown, rest } = newest(sandbox.requests.list(), MOST_SHOWN);
  const content =
    shown.length === 0
      ? empty(html`None yet. The REST API is at <code>${sandbox.url}/v3</code>.`)
      : html`${table(
          'Requests, the newest first',
          ['Request', 'Answer', 'Fault', 'Idempotence key', 'Payment', 'Came'],
          shown.map((request) => requestRow(request, stores.own.accountId, now)),
        )}${rest}`;
  return panel('requests', 'Requests of the REST API', content, json('requests'));
}

function requestRow(request: RequestReport, ownId: string, now: Date): Html {
  const { at, method, path, accountId, requestKey, paymentId, operation } = request;
  return html`<tr data-testid="request" data-operation="${operation ?? ''}">
    <th scope="row">
      <code>${method} ${path}</code>
      ${accountId === null || accountId === ownId ? null : html`<small>store ${accountId}</small>`}
    </th>
    <td class="state">${requestAnswer(request)}</td>
    <td>${faultOf(request)}</td>
    <td>${requestKey === null ? null : html`<code class="id" title="${requestKey}">${requestKey}</code>`}</td>
    <td>${paymentId === null ? null : paymentLink(paymentId)}</td>
    <td class="when">${momentAgo(at, now)}</td>
  </tr>`;
}

function faultOf({ fault, operation }: RequestReport): Html | null {
  if (fault === null) return null;
  const words = operation === null ? null : html`<small>${apiFaultWords(fault, operation)}</small>`;
  return html`${status('warn', 'warn', fault)} ${words}`;
}

/** How it was answered. */
export function requestAnswer({ status: answered, end }: RequestReport): Html {
  const [tone, look, words] = answerOf(answered, end);
  return status(tone, look, words, html`data-testid="answered"`);
}

function answerOf(answered: number | null, end: RequestReport['end']): readonly [Tone, ShapeName, string] {
  if (end === 'waiting') return ['wait', 'open', 'no answer yet'];
  if (answered === null) return ['bad', 'cross', 'connection cut'];
  if (end === 'cut') return ['bad', 'cross', `${answered}, cut off`];
  if (answered >= 500) return ['bad', 'stop', String(answered)];
  return answered >= 400 || answered === 202
    ? ['warn', 'warn', String(answered)]
    : ['good', 'done', String(answered)];
}
