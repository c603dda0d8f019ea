import { testCardTable } from '../checkout/test-card-table.js';
import type { Sandbox } from '../control/running-sandbox.js';
import { html, type Html } from '../pages/html.js';
import { page } from '../pages/page.js';
import type { Stores } from '../stores/stores.js';
import { clockSection } from './clock-section.js';
import { faultsSection } from './faults-section.js';
import { liveScript } from './live-script.js';
import { notificationsSection } from './notifications-section.js';
import { objectsSection, refundsSection } from './objects-section.js';
import { partnershipSection } from './partnership-section.js';
import { paymentsSection } from './payments-section.js';
import { receiptsSection } from './receipts-section.js';
import { style } from './style.js';

/** The result of the form that was sent. */
interface Message {
  readonly text: string;
  readonly good: boolean;
}

const sections = [
  ['payments', 'Payments'],
  ['notifications', 'Notifications'],
  ['faults', 'Faults'],
  ['refunds', 'Refunds'],
  ['receipts', 'Receipts'],
  ['objects', 'Payouts, deals, methods'],
  ['partnership', 'Stores and apps'],
  ['test-cards', 'Test cards'],
] as const;

/** Everything a person may want to see of the sandbox or do to it, on one page. */
export function controlPage(sandbox: Sandbox, stores: Stores, message: Message | null): Html {
  const { clock, faults, notifications, refunds, url } = sandbox;
  const now = clock.now();
  const own = stores.own;
  return page(
    'Sandbox control',
    style,
    html`<main>
        <div class="top">
          <div>
            <h1>Sandbox</h1>
            <p>
              ${own.demo ? 'Demo store' : 'Store'} <code data-testid="store">${own.accountId}</code>, REST API
              at <code>${url}/v3</code>.
            </p>
            <p data-testid="state">${stateText(sandbox.stateFile)}</p>
          </div>
          <nav aria-label="On this page">
            <label hidden><input type="checkbox" id="live" checked /> keep up to date</label>
            <a href="/sandbox/">Reload</a>
            ${sections.filter(([id]) => own.names.isPublic || id !== 'receipts').map(([id, name]) => html`<a href="#${id}">${name}</a>`)}
            <a href="/sandbox/ledger">Ledger (JSON)</a>
          </nav>
        </div>
        ${message && html`<p class="said ${message.good ? 'good' : 'bad'}" role="${message.good ? 'status' : 'alert'}" data-testid="said">${message.text}</p>`}
        ${clockSection(now, clock.offsetMs(), clock.skewMs())}
        <div class="columns">
          ${paymentsSection(sandbox, stores)}
          <div class="column">
            ${notificationsSection(notifications.list(), now, sandbox.notifyUrl(), sandbox.notifyEvents())}
            ${faultsSection(faults.list())} ${refundsSection(refunds.list())}
            ${own.names.isPublic ? receiptsSection(sandbox, own.receipts) : null} ${objectsSection(sandbox)}
            ${partnershipSection(sandbox, own.names.permissions)}
          </div>
        </div>
        <div id="test-cards">${testCardTable()}</div>
      </main>
      ${liveScript}`,
  );
}

function stateText(stateFile: string | null): Html {
  return stateFile === null
    ? html`All of it is in memory and lost when the sandbox stops: <code>--state-file FILE</code> keeps
        payments, refunds, receipts and saved methods for the next run.`
    : html`Payments, refunds, receipts and saved methods are kept for the next run, in
        <code>${stateFile}</code>.`;
}
