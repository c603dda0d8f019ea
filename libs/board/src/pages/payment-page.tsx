import type { PaymentRecord } from '@holdfast/payments';
import type { JSX } from 'preact';
import { storeQuery } from '../board-query.js';
import { availableActions, isAboutProblem, type PaymentAction } from '../payment-actions.js';
import { Document } from '../view/document.js';
import { MoneyBar } from '../view/money-bar.js';
import { useLink, usePage } from '../view/page-context.js';
import { Act, Money, Needs, Panel, Words } from '../view/parts.js';
import { Shape, Status } from '../view/shape.js';
import { dateOf, dayText } from '../view/time-text.js';
import { lineOf, type TimelineKind } from '../view/timeline-line.js';
import { When } from '../view/when.js';
import { paymentWords } from '../view/words.js';
import { BuyerPanel, Facts, type Buyer } from './payment-facts.js';
import { Messages } from './payment-messages.js';
import { Deliveries, Incidents, Notifications, Receipts, Refunds, Requests } from './payment-tables.js';

interface PaymentPageProps {
  readonly record: PaymentRecord;
  readonly buyer: Buyer;
  readonly shown: TimelineKind | 'all';
}

const actionNames: Readonly<Record<PaymentAction, string>> = {
  capture: 'Capture…',
  cancel: 'Cancel…',
  leave: 'Leave to a person…',
  refund: 'Refund…',
  'accept-refund': 'Accept the refund…',
  'hand-over': 'Hand over…',
  'send-receipt': 'Send the receipt again…',
  'close-receipt': 'The receipt is taken care of…',
  'resolve-incident': 'The incident is resolved…',
  note: 'Note…',
};

/** All of one payment. */
export function PaymentPage({ record, buyer, shown }: PaymentPageProps): JSX.Element {
  const link = useLink();
  const { payment } = record;
  return (
    <Document title={`Order ${payment.orderReference}`}>
      <p class="crumb">
        <a href={link(`payments${storeQuery(payment.store)}`)}>← Payments</a>
      </p>
      <Head record={record} />
      <Panel title="Money" aside={payment.capture ? 'one-stage' : 'two stages: held, then captured'}>
        <div class="body">
          <MoneyBar payment={payment} />
          <Facts record={record} />
        </div>
      </Panel>
      <div class="cols">
        <div class="stack w7 w-full">
          <Timeline record={record} shown={shown} />
          <BuyerPanel record={record} buyer={buyer} />
          {!buyer.isMasked && <Messages record={record} />}
          <div class="panel group">
            <Incidents record={record} />
            <Refunds record={record} />
            <Receipts record={record} />
          </div>
        </div>
        <div class="panel group w5 w-full">
          <Deliveries record={record} />
          <Requests record={record} />
          <Notifications record={record} />
        </div>
      </div>
    </Document>
  );
}

function Head({ record }: { readonly record: PaymentRecord }): JSX.Element {
  const { payment, needs } = record;
  const link = useLink();
  const { mayAct, orderUrl } = usePage();
  const url = orderUrl(payment.orderReference);
  const store = `?${new URLSearchParams({ store: payment.store }).toString()}`;
  const actions = mayAct ? availableActions(record).filter((action) => !isAboutProblem(action)) : [];
  return (
    <div class="hero">
      <div>
        <h1>
          Order <b>{payment.orderReference}</b>{' '}
          {url !== null && (
            <a class="nw" href={url}>
              in the shop
              <Shape name="out" />
            </a>
          )}
        </h1>
        <p class="sum">
          <Money amount={payment.amount} />
        </p>
        <p class="row">
          <Words told={paymentWords[payment.status]} pill />
          <Needs needs={needs} pill />
          {payment.superseded && (
            <Status shape="slash" tone="calm" pill>
              superseded
            </Status>
          )}
          {payment.test === true && <span class="test">test money</span>}
        </p>
      </div>
      {mayAct && (
        <div class="bottom">
          <Act path={`payments/${payment.id}/read${store}`}>Re-read now</Act>
          {actions.map((action) => (
            <a class="btn" href={link(`payments/${payment.id}/${action}${store}`)}>
              {actionNames[action]}
            </a>
          ))}
        </div>
      )}
    </div>
  );
}

const kinds = ['all', 'money', 'people', 'technical'] as const;

function Timeline({
  record: { payment, timeline },
  shown,
}: Pick<PaymentPageProps, 'record' | 'shown'>): JSX.Element {
  const link = useLink();
  const { now, timeZone } = usePage();
  const dayOf = (at: Date | null) => (at === null ? null : dateOf(at, timeZone));
  const lines = timeline
    .map((entry) => ({ entry, line: lineOf(entry) }))
    .filter(({ line }) => shown === 'all' || line.kind === shown);
  return (
    <section class="panel" aria-labelledby="story">
      <div class="head">
        <h2 id="story">Timeline</h2>
        <nav class="switch" aria-label="What the timeline shows">
          {kinds.map((kind) => (
            <a
              href={link(
                `payments/${payment.id}?${new URLSearchParams({ store: payment.store, t: kind }).toString()}`,
              )}
              {...(kind === shown && { 'aria-current': 'true' as const })}
            >
              {kind}
            </a>
          ))}
        </nav>
      </div>
      <ol class="timeline">
        {lines.map(({ entry, line }, index) => (
          <li {...(line.tone !== null && { class: `is-${line.tone}` })}>
            <span class="at">
              <When at={entry.at} only="clock" />
              {dayOf(entry.at) !== dayOf(lines[index - 1]?.entry.at ?? null) && (
                <small>{dayText(entry.at, now, timeZone)}</small>
              )}
            </span>
            <Shape name={line.shape} />
            <div>
              <b>{line.what}</b> <span class="mute">{line.detail}</span>
            </div>
          </li>
        ))}
      </ol>
      {lines.length === 0 && <p class="empty">Nothing of this kind.</p>}
    </section>
  );
}
