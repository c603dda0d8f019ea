import type { Sandbox } from '../control/running-sandbox.js';
import type { RequestReport } from '../journal/exchange.js';
import type { LedgerEntry, LedgerKind } from '../ledger/ledger.js';
import type { NotificationReport } from '../notifications/notification.js';
import { html, type Html } from '../pages/html.js';
import { roubles } from '../pages/roubles.js';
import { shape, type ShapeName, type Tone } from '../pages/shapes.js';
import { momentText } from '../pages/spans.js';
import type { WirePayment } from '../payments/payment-view.js';
import { answerText, answerTone } from './notifications-tab.js';
import { requestAnswer } from './requests-tab.js';

interface Step {
  readonly at: string;
  readonly tone: Tone;
  readonly look: ShapeName;
  readonly what: Html;
}

/** Requests, money and notifications of one payment in the order of time, oldest first. */
export function historyOf(
  { id, created_at: createdAt }: WirePayment,
  notifications: readonly NotificationReport[],
  { ledger, requests }: Pick<Sandbox, 'ledger' | 'requests'>,
): Html {
  const asked = requests
    .list()
    .toReversed()
    .filter(({ paymentId }) => paymentId === id);
  // Of the same millisecond, causes come first.
  const steps: Step[] = [
    ...asked.map(requestStep),
    { at: createdAt, tone: 'wait', look: 'open', what: html`<b>Made</b>` },
    ...ledger.entries(id).map(moneyStep),
    ...notifications.flatMap(notificationSteps),
  ];
  return html`<ol class="timeline" data-testid="history">
    ${steps.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)).map(stepItem)}
  </ol>`;
}

function stepItem({ at, tone, look, what }: Step): Html {
  return html`<li class="is-${tone}">
    <time class="at" datetime="${at}" title="${momentText(new Date(at))} UTC"
      >${momentText(new Date(at)).slice(11)}</time
    >
    ${shape(look)}
    <div>${what}</div>
  </li>`;
}

function requestStep(request: RequestReport): Step {
  const { at, method, path, requestKey } = request;
  return {
    at,
    tone: 'calm',
    look: 'out',
    what: html`<code>${method} ${path}</code> ${requestAnswer(request)}
      ${requestKey === null ? null : html`<small>key ${requestKey}</small>`}`,
  };
}

const moneyWords: Readonly<Record<LedgerKind, readonly [words: string, Tone, ShapeName]>> = {
  charge: ['taken or held', 'good', 'half'],
  capture: ['captured', 'good', 'done'],
  cancel: ['let go', 'calm', 'cross'],
  refund: ['refunded', 'calm', 'back'],
};

function moneyStep({ at, kind, amount, requestKey }: LedgerEntry): Step {
  const [words, tone, look] = moneyWords[kind];
  return {
    at,
    tone,
    look,
    what: html`<b>${roubles(amount)}</b> ${words}
      ${requestKey === null ? null : html`<small>by the request with the key ${requestKey}</small>`}`,
  };
}

function notificationSteps({ event, attempts, eventAt, fault }: NotificationReport): Step[] {
  if (attempts.length === 0 && fault !== null)
    return [{ at: eventAt, tone: 'warn', look: 'warn', what: html`<b>${event}</b> ${fault}` }];
  return attempts.map((attempt) => ({
    at: attempt.at,
    tone: answerTone(attempt),
    look: 'mail',
    what: html`<b>${event}</b> ${answerText(attempt)}`,
  }));
}
