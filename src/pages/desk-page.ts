import {
  parseAmount,
  type Backlog,
  type FailedDelivery,
  type ForeignNotification,
  type ParkedDelivery,
  type Payment,
  type Recovery,
  type UnsettledPrepayment,
  type Waiting,
} from '@holdfast/payments';
import { button } from '../../examples/shared/pages/form.js';
import { age, moment, roubles } from '../../examples/shared/pages/format.js';
import { holdEnd, holdOutlook } from '../../examples/shared/pages/hold-words.js';
import { html, type Content, type Html } from '../../examples/shared/pages/html.js';
import { noticeText } from '../../examples/shared/web/notice.js';
import { longestEmail } from '../orders/receipt-email.js';
import { troubles, type DeliveryAtDesk, type Desk, type ReceiptAtDesk, type Trouble } from '../staff/desk.js';
import { foundWords, periodWords, progressWords, recoveryState } from '../staff/recovery-words.js';
import { longestName, longestNote } from '../staff/resolution.js';
import type { StaffNote } from '../staff/staff-note.entity.js';
import { compareButton } from './books-page.js';
import { deliveryRow, orderLink } from './delivery-row.js';
import { layout } from './layout.js';
import { receiptWords } from './receipt-words.js';

const notices = new Map([
  ['runs_again', 'It runs again now. If it keeps failing, it comes back here.'],
  ['all_run_again', 'All of them run again now. Those that keep failing come back here.'],
  ['receipt_resolved', 'Recorded. The order’s page has it too.'],
  ['receipt_sent_again', 'It is being sent again. If it fails again, it comes back here.'],
  [
    'receipt_not_open',
    'Nothing to do: that receipt is registered, or somebody has taken care of it already.',
  ],
  [
    'receipt_not_sendable',
    'Not sent: only a receipt that was sent by itself and failed is sent again, while its payment allows it. What helps stands beside it.',
  ],
  [
    'receipt_without_contact',
    'Not sent: whom the receipt went to is not kept any more. Type another email, or make it by hand in the register.',
  ],
  [
    'email_not_usable',
    'Not sent: no receipt reaches that email. Type one such as anna@example.com, or leave it empty.',
  ],
  ['who_and_what', 'Please say who does it and what is done, in a few words.'],
  ['read_again', 'It is being read again. If it cannot be read, it comes back here.'],
  ['nothing_to_read', 'Nothing to do: it has been read by now.'],
  ['nothing_to_run', 'Nothing to do: it has run already, or is running.'],
]);

export function deskPage(desk: Desk, notice?: string): string {
  const waiting = troubles(desk);
  const isWell = waiting.length === 0;
  const text = noticeText(notice, notices);
  const title = isWell ? 'All is well' : 'Something needs you';
  const body = html`
    <div class="narrow">
      ${text && html`<p class="notice" role="status">${text}</p>`}
      <div class="state ${isWell ? 'good' : 'wait'}">
        <p class="mark">Payments desk</p>
        <h1 id="desk-state">${title}</h1>
        <p>
          ${isWell ? 'Every payment is taken care of.' : `${waiting.map((trouble) => trouble.text).join(', ')}.`}
        </p>
        ${waiting.map(remedyOf)}
        <div class="actions">
          ${compareButton} <a class="button quiet" href="/staff/payments/overview">Payments board</a>
        </div>
      </div>
      <div class="panels">
        ${list('Notes', desk.notes.map(noteRow), 'Nothing to look at.')}
        ${desk.recoveries.length > 0 && list('Lost times', desk.recoveries.map(recoveryRow), '')}
        ${list('Receipts', desk.receipts.map(receiptRow), 'No receipt failed, is late or is missing.')}
        ${list('Prepayments', desk.prepayments.map(prepaymentRow), 'No prepayment waits for its receipt for too long.')}
        ${list('Holds', desk.holds.map(holdRow), 'No order is on hold.')}
        ${list(
          'Deliveries given up',
          desk.parked.map(parkedRow),
          desk.failing.length === 0
            ? 'Every event has reached the shop.'
            : 'None, but some fail and are run again.',
          desk.parked.length > 1 && button('/staff/deliveries/retry', 'Run all again', true),
        )}
        ${desk.failing.length > 0 && list('Deliveries that fail', desk.failing.map(failingRow), '')}
        ${list(
          'Foreign notifications',
          desk.foreign.map(foreignRow),
          'The payment service has only sent notifications of this shop’s payments.',
        )}
        ${backlogPanel(desk.backlog)}
      </div>
    </div>
  `;
  return layout({ title: 'Payments desk', body });
}

function list(heading: string, rows: readonly Html[], empty: string, action?: Content): Html {
  return html`<section class="panel" aria-label="${heading}">
    <div class="head">
      <h2>${heading}</h2>
      ${action}
    </div>
    ${
      rows.length === 0
        ? html`<p class="soft">${empty}</p>`
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
  </section>`;
}

function noteRow({ id, orderReference, event, text, occurredAt }: StaffNote): Html {
  return html`<li data-note="${event}">
    <div>
      <p>${text}</p>
      <p class="soft small">
        ${orderReference !== null && html`${orderLink(orderReference)} ·`} ${moment(occurredAt)}
      </p>
    </div>
    ${button(`/staff/notes/${id}/done`, 'Done', true)}
  </li>`;
}

function recoveryRow(recovery: Recovery): Html {
  const state = recoveryState(recovery);
  return html`<li data-recovery="${state}">
    <div>
      <p>What happened ${periodWords(recovery)}.</p>
      <p class="small">${progressWords(recovery)}</p>
      <p class="soft small">${foundWords(recovery)}</p>
    </div>
    ${state === 'unread' && button(`/staff/recoveries/${recovery.id}/read-again`, 'Read again', true)}
  </li>`;
}

function holdRow(payment: Payment): Html {
  return html`<li data-hold-policy="${payment.holdPolicy}">
    <div>
      <p>${orderLink(payment.orderReference)} until ${holdEnd(payment)}</p>
      <p class="soft small">${holdOutlook(payment)}</p>
    </div>
    <span class="price">${roubles(parseAmount(payment.amount))}</span>
  </li>`;
}

function receiptRow({ problem, orderReference }: ReceiptAtDesk): Html {
  const { id, kind, since, remedy } = problem;
  const action = `/staff/receipts/${id}`;
  return html`<li data-receipt="${kind}">
    <div>
      <p>${receiptWords(problem)}</p>
      <p class="soft small">${orderLink(orderReference)} · since ${moment(since)}</p>
      <form class="fields" method="post" action="${action}/resolved">
        <label>Your name <input name="by" maxlength="${longestName}" autocomplete="name" required /></label>
        <label>
          ${remedy === 'send_again' ? 'What was done, or why it goes through now' : 'What was done'}
          <input name="note" maxlength="${longestNote}" autocomplete="off" required />
        </label>
        ${remedy === 'send_again' && emailField}
        <div class="actions">
          ${
            remedy === 'send_again' &&
            html`<button class="button" type="submit" formaction="${action}/send-again">Send again</button>`
          }
          <button class="button quiet" type="submit">Resolved by hand</button>
        </div>
      </form>
    </div>
  </li>`;
}

function prepaymentRow({ paymentId, orderReference, since, left }: UnsettledPrepayment): Html {
  return html`<li data-prepayment="${paymentId}">
    <div>
      <p>
        Paid in advance and not handed over. Press “Handed over” on the order’s page once the buyer has the
        goods, or give the money back.
      </p>
      <p class="soft small">${orderLink(orderReference)} · since ${moment(since)}</p>
    </div>
    <span class="price">${roubles(parseAmount(left))}</span>
  </li>`;
}

/** Most receipts fail because of where they were to go. */
const emailField = html`<label>
  Another email, if the first one is wrong
  <input name="email" type="email" maxlength="${longestEmail}" autocomplete="off" />
</label>`;

function remedyOf({ text, remedy }: Trouble): Content {
  return remedy !== null && html`<p class="small" data-remedy="${text}">${remedy}</p>`;
}

function parkedRow({ delivery, orderReference }: DeliveryAtDesk<ParkedDelivery>): Html {
  return deliveryRow({ ...delivery, nextAttemptAt: null }, orderReference);
}

function failingRow({ delivery, orderReference }: DeliveryAtDesk<FailedDelivery>): Html {
  return deliveryRow(delivery, orderReference);
}

function foreignRow({ event, objectId, senderAddress, count, lastAt }: ForeignNotification): Html {
  return html`<li data-foreign="${objectId}">
    <div>
      <p><code>${event}</code> of <code>${objectId}</code></p>
      <p class="soft small">${count} × from ${senderAddress}, last on ${moment(lastAt)}</p>
    </div>
  </li>`;
}

function backlogPanel(backlog: Backlog): Html {
  const figures: [string, Waiting][] = [
    ['Requests without an answer', backlog.operations],
    ['Payments to look at', backlog.payments],
    ['Notifications to act on', backlog.notifications],
    ['Events to hand over', backlog.deliveries],
    ['Deliveries that fail', backlog.failingDeliveries],
    ['Deliveries given up', backlog.parkedDeliveries],
    ['Receipts that failed, are late or missing', backlog.receiptProblems],
    ['Holds to decide about', backlog.flaggedHolds],
    ['Payments of stores that are not connected', backlog.waitingForOwners],
    ['Lost times to read', backlog.openRecoveries],
    ['Lost times that could not be read', backlog.unreadRecoveries],
    ['Changes found without a notification', backlog.unannouncedChanges],
  ];
  return html`<section class="panel" aria-label="Backlog">
    <h2>Backlog</h2>
    <dl>
      ${figures.map(
        ([name, waiting]) =>
          html`<dt>${name}</dt>
            <dd>${figure(waiting)}</dd>`,
      )}
    </dl>
  </section>`;
}

function figure({ count, more, oldestMs }: Waiting): string {
  const counted = more ? `more than ${count}` : String(count);
  return oldestMs === null ? counted : `${counted}, oldest ${age(oldestMs)}`;
}
