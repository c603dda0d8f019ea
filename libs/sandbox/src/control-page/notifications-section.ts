import type { NotificationReport } from '../notifications/notification.js';
import { html, type Html } from '../pages/html.js';
import { spanText } from '../pages/spans.js';
import { eventNames, type EventName } from '../wire/events.js';
import { actionButton, actionForm, moment, section, shortId, textField } from './parts.js';

const MOST_SHOWN = 50;

/** What was sent, answered, and is due; newest first. */
export function notificationsSection(
  oldestFirst: readonly NotificationReport[],
  now: Date,
  notifyUrl: string | null,
  notifyEvents: readonly EventName[],
): Html {
  const shown = oldestFirst.toReversed().slice(0, MOST_SHOWN);
  const address = actionForm(
    'notify-url',
    {},
    html`${textField('Send to', 'url', notifyUrl ?? '', html`type="url" size="34" placeholder="nowhere"`)}
      <button data-testid="notify-url">Change</button>`,
  );
  const ticks = html`${eventNames.map((event) => tick(event, notifyEvents.includes(event)))}
    <button data-testid="notify-events">Change</button>`;
  const list = html`<ul class="rows">
    ${shown.map((notification) => notificationItem(notification, now))}
  </ul>`;
  return section(
    'notifications',
    'Notifications',
    html`<div class="buttons">${address}</div>
      <details class="ticks">
        <summary>
          Events ticked in the Merchant Profile: ${String(notifyEvents.length)} of
          ${String(eventNames.length)}
        </summary>
        <div class="buttons">${actionForm('notify-events', {}, ticks)}</div>
      </details>
      ${shown.length === 0 ? html`<p class="empty">None yet.</p>` : list}`,
    html`<a href="/sandbox/notifications">JSON</a>`,
  );
}

function tick(event: EventName, ticked: boolean): Html {
  return html`<label
    ><input type="checkbox" name="${event}" ${ticked ? html`checked` : null} /> ${event}</label
  >`;
}

function notificationItem(
  { id, event, objectId, attempts, nextDueAt, done }: NotificationReport,
  now: Date,
): Html {
  return html`<li data-testid="notification" data-event="${event}">
    <div>
      <strong>${event}</strong>
      ${event.startsWith('payment.') ? html`<a href="#payment-${objectId}">${shortId(objectId)}</a>` : shortId(objectId)}
      <ol class="attempts">
        ${attempts.map(
          ({ at, status, error }) =>
            html`<li>
              ${moment(at)}
              <span class="${status === 200 ? 'good' : 'bad'}" data-testid="answer"
                >${status === null ? `no answer: ${error ?? ''}` : `answered ${String(status)}`}</span
              >
            </li>`,
        )}
      </ol>
      <span class="hint" data-testid="next"
        >${nextText(nextDueAt, done, attempts.at(-1)?.status === 200, now)}</span
      >
    </div>
    ${actionButton('redeliver', { id }, 'Send again', 'redeliver')}
  </li>`;
}

function nextText(nextDueAt: string | null, done: boolean, acknowledged: boolean, now: Date): string {
  if (nextDueAt !== null) return `next in ${spanText(Math.max(Date.parse(nextDueAt) - now.getTime(), 0))}`;
  if (!done) return 'on its way, or held back by a fault';
  return acknowledged ? 'acknowledged' : 'not sent any more';
}
