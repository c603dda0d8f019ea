import {
  apiFaultNames,
  notificationFaultNames,
  targetsOf,
  type ApiFault,
  type NotificationFault,
  type OpenFaultOrder,
} from '../faults/fault-order.js';
import { html, type Html } from '../pages/html.js';
import type { Operation } from '../wire/operations.js';
import {
  apiFaultWords,
  faultTerms,
  faultWords,
  notificationFaultWords,
  operationWords,
} from './fault-words.js';
import { actionForm, actionButton, button, empty, numberField, panel, select } from './parts.js';
import type { View } from './view.js';

/** What is asked for most: one press. */
const quick = [
  { on: 'notification', fault: 'drop', words: 'Lose the next notification' },
  { on: 'create', fault: 'reset_after_commit', words: 'Cut the connection after the payment was created' },
  { on: 'capture', fault: 'reset_after_commit', words: 'Cut the connection after the payment was captured' },
  { on: 'refund', fault: 'reset_after_commit', words: 'Cut the connection after the refund was made' },
  { on: 'create', fault: 'stall', seconds: '10', words: 'Wait 10 s, then create the payment' },
] as const;

/** Of the public service alone. */
const publicOnly: readonly Operation[] = [
  'receipt',
  'bind',
  'invoice',
  'read_receipt',
  'read_invoice',
  'list_receipts',
];

/** What goes wrong next, in words; each form has only the fields that its fault needs. */
export function faultsTab({ sandbox, stores }: View): Html {
  const { isPublic } = stores.own.names;
  const open = sandbox.faults.list();
  return html`${panel(
      'waiting',
      'Waiting',
      open.length === 0
        ? empty('None ordered. A fault waits here until a request or a notification meets it.')
        : html`<ul class="rows">
            ${open.map(openItem)}
          </ul>`,
      html`<a href="/sandbox/faults">JSON</a>`,
    )}
    <section class="panel" aria-labelledby="quick-title">
      <div class="head"><h2 id="quick-title">At one press</h2></div>
      <div class="body acts">
        ${quick.map(({ words, ...given }) =>
          actionButton('order-fault', given, words, `order-${given.on}-${given.fault}`),
        )}
      </div>
    </section>
    ${offers('notification-faults', 'A notification', notificationFaultNames.map(notificationOffer))}
    ${offers(
      'request-faults',
      'A request of the shop',
      apiFaultNames.map((fault) =>
        apiOffer(
          fault,
          targetsOf(fault).filter((target) => isPublic || !publicOnly.includes(target)),
        ),
      ),
    )}`;
}

/** The same for the requests about one object, folded. */
export function faultsOf(object: string, operations: readonly Operation[]): Html {
  const forms = apiFaultNames.flatMap((fault) => {
    const targets = targetsOf(fault).filter((target) => operations.includes(target));
    return targets.length === 0 ? [] : [apiOffer(fault, targets, object)];
  });
  return html`<section class="panel" aria-label="Faults for it alone">
    <div class="folds">
      <details>
        <summary>Have a request about it go wrong</summary>
        <div>${forms}</div>
      </details>
    </div>
  </section>`;
}

function offers(id: string, title: string, forms: readonly Html[]): Html {
  return html`<section class="panel" aria-labelledby="${id}-title">
    <div class="head"><h2 id="${id}-title">${title}</h2></div>
    <div class="folds">${forms}</div>
  </section>`;
}

function notificationOffer(fault: NotificationFault): Html {
  return offer(fault, notificationFaultWords[fault], { on: 'notification', fault }, null, {
    delay: html`${numberField('Late by, in seconds', 'seconds', '60', html`required`)}`,
    duplicate: html`${numberField('Copies besides the first', 'copies', '1')}`,
  });
}

function apiOffer(fault: ApiFault, targets: readonly Operation[], object: string | null = null): Html {
  const which = select(
    'On the request to',
    'on',
    targets.map((target) => [target, operationWords[target][0]] as const),
  );
  const given = { fault, ...(object !== null && { object }) };
  return offer(fault, apiFaultWords(fault), given, which, {
    stall: slowly,
    stall_after_commit: slowly,
    too_many_requests: numberField('Asks to wait, in seconds', 'retry_seconds', ''),
    accepted: numberField('Asks to wait, in seconds', 'retry_seconds', '1'),
    wrong_date: numberField('Ahead by, in seconds (behind: -60)', 'seconds', '60', html`required`),
  });
}

const slowly = html`${numberField('After how many seconds', 'seconds', '10')}
  <p class="hint">Without a number: never, until all faults are removed.</p>`;

function offer(
  fault: ApiFault | NotificationFault,
  words: string,
  given: Readonly<Record<string, string>>,
  which: Html | null,
  fields: Readonly<Partial<Record<ApiFault | NotificationFault, Html>>>,
): Html {
  return html`<details name="fault" data-testid="offer-${fault}">
    <summary>${words}</summary>
    ${actionForm(
      'order-fault',
      given,
      html`${which}${fields[fault] ?? null} ${numberField('How often', 'times', '1')}
      ${button('Order', 'order-fault', true)}`,
    )}
  </details>`;
}

function openItem(open: OpenFaultOrder): Html {
  const { order } = open;
  return html`<li data-testid="fault">
    <div>
      <strong>${faultWords(order)}</strong>
      <span class="mute">${faultTerms(open)}</span> <code class="mute">${order.fault} on ${order.on}</code>
    </div>
  </li>`;
}
