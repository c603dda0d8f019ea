import type { NotificationAttempt, NotificationReport } from '../notifications/notification.js';
import { html, type Html } from '../pages/html.js';
import { status, type Tone } from '../pages/shapes.js';
import { spanText } from '../pages/spans.js';
import { eventNames, type EventName } from '../wire/events.js';
import {
  actionButton,
  actionForm,
  button,
  empty,
  json,
  moment,
  newest,
  panel,
  paymentLink,
  shortId,
  table,
  textField,
} from './parts.js';
import { pathOf } from './places.js';
import type { View } from './view.js';

const MOST_SHOWN = 100;

/** What was sent, answered, and is due; newest first. Where it goes is set here. */
export function notificationsTab({ sandbox, now }: View): Html {
  const { shown, rest } = newest(sandbox.notifications.list().toReversed(), MOST_SHOWN);
  return html`${settings(sandbox.notifyUrl(), sandbox.notifyEvents())}
  ${panel('notifications', 'All notifications', html`${notificationTable(shown, now)}${rest}`, json('notifications'))}`;
}

function settings(notifyUrl: string | null, notifyEvents: readonly EventName[]): Html {
  const address = html`${textField('Send to', 'url', notifyUrl ?? '', html`type="url" size="34" placeholder="nowhere"`)}
  ${button('Change', 'notify-url')}`;
  const ticks = html`${eventNames.map((event) => tick(event, notifyEvents.includes(event)))}
  ${button('Tick these', 'notify-events')}`;
  return panel(
    'settings',
    'Where they go',
    html`<div class="body stack">
      ${actionForm('notify-url', {}, address)}
      <details id="ticks">
        <summary>
          Events ticked in the Merchant Profile: ${String(notifyEvents.length)} of
          ${String(eventNames.length)}
        </summary>
        ${actionForm('notify-events', {}, ticks)}
      </details>
    </div>`,
  );
}

function tick(event: EventName, ticked: boolean): Html {
  return html`<label class="tick"
    ><input type="checkbox" name="${event}" ${ticked ? html`checked` : null} /> ${event}</label
  >`;
}

/** In the order given. */
export function notificationTable(notifications: readonly NotificationReport[], now: Date): Html {
  if (notifications.length === 0) return empty('None yet.');
  return table(
    'Notifications, the newest first',
    ['Event', 'Of', 'Sent and answered', 'Next', ''],
    notifications.map((notification) => notificationRow(notification, now)),
  );
}

function notificationRow(notification: NotificationReport, now: Date): Html {
  const { id, event, objectId, attempts } = notification;
  return html`<tr data-testid="notification" data-event="${event}">
    <th scope="row"><a href="${pathOf({ tab: 'notifications', id })}">${event}</a></th>
    <td>${event.startsWith('payment.') ? paymentLink(objectId) : shortId(objectId)}</td>
    <td class="state">
      <ol class="attempts">
        ${attempts.map((attempt) => html`<li>${moment(attempt.at)} ${answerWord(attempt)}</li>`)}
      </ol>
    </td>
    <td data-testid="next">${nextText(notification, now)}</td>
    <td class="fill">${actionButton('redeliver', { id }, 'Send again', 'redeliver')}</td>
  </tr>`;
}

export function answerWord(attempt: NotificationAttempt): Html {
  const tone = answerTone(attempt);
  return status(tone, tone === 'good' ? 'tick' : 'warn', answerText(attempt), html`data-testid="answer"`);
}

export function answerTone({ status: answered }: NotificationAttempt): Tone {
  return answered === 200 ? 'good' : 'bad';
}

export function answerText({ status: answered, error }: NotificationAttempt): string {
  return answered === null ? `no answer: ${error ?? ''}` : `answered ${String(answered)}`;
}

/** What becomes of a notification next. */
export function nextText({ nextDueAt, done, attempts, fault }: NotificationReport, now: Date): string {
  if (nextDueAt !== null) return `next in ${spanText(Math.max(Date.parse(nextDueAt) - now.getTime(), 0))}`;
  if (!done) return fault === 'reorder' && attempts.length === 0 ? 'held back by a fault' : 'on its way';
  if (attempts.at(-1)?.status === 200) return 'acknowledged';
  return fault === 'drop' && attempts.length === 0 ? 'lost by a fault' : 'not sent any more';
}
