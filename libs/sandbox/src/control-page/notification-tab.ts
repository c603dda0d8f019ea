import { html, type Html } from '../pages/html.js';
import { spanText } from '../pages/spans.js';
import { answerWord, nextText } from './notifications-tab.js';
import { actionButton, empty, json, momentAgo, panel, paymentLink, shortId, table } from './parts.js';
import { pathOf } from './places.js';
import type { View } from './view.js';

/** One notification as it goes over the wire, and how it was answered each time. Throws ControlError 404. */
export function notificationTab(id: string, { sandbox, now }: View): Html {
  const notification = sandbox.notifications.get(id);
  const { event, objectId, headers, body, attempts, eventAt, webhookId } = notification;
  return html`<p class="crumb"><a href="${pathOf({ tab: 'notifications' })}">← Notifications</a></p>
    <div class="hero">
      <div>
        <h1>${event}</h1>
        <p class="row">
          <span>of ${event.startsWith('payment.') ? paymentLink(objectId) : shortId(objectId)}</span>
          <span>${momentAgo(eventAt, now)}</span>
          <span class="mute"
            >${webhookId === null ? "to the shop's own address" : html`to the webhook <code>${webhookId}</code>`}</span
          >
        </p>
      </div>
      ${actionButton('redeliver', { id }, 'Send again', 'redeliver')}
    </div>
    ${panel(
      'attempts',
      'Sent and answered',
      html`${
          attempts.length === 0
            ? empty('Not yet.')
            : table(
                'How it was answered',
                ['Sent', 'To', 'Answer', 'Took'],
                attempts.map(
                  (attempt) =>
                    html`<tr data-testid="attempt">
                      <td class="when">${momentAgo(attempt.at, now)}</td>
                      <td>${attempt.url === null ? 'nowhere' : html`<code>${attempt.url}</code>`}</td>
                      <td class="state">${answerWord(attempt)}</td>
                      <td data-label="Took">${tookText(attempt.tookMs)}</td>
                    </tr>`,
                ),
              )
        }
        <p class="empty" data-testid="next">${nextText(notification, now)}</p>`,
    )}
    <section class="panel" aria-labelledby="headers-title">
      <div class="head"><h2 id="headers-title">Headers</h2></div>
      <div class="body">
        <pre tabindex="0">
${Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}</pre>
      </div>
    </section>
    <section class="panel" aria-labelledby="body-title">
      <div class="head">
        <h2 id="body-title">Body</h2>
        ${json(`notifications/${id}`)}
      </div>
      <div class="body"><pre tabindex="0" data-testid="body">${readable(body)}</pre></div>
    </section>`;
}

function tookText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : spanText(ms);
}

function readable(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
