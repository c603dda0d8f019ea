import type { PaymentRecord } from '@holdfast/payments';
import type { JSX } from 'preact';
import { storeQuery } from '../board-query.js';
import { availableActions, type PaymentAction } from '../payment-actions.js';
import { amountText } from '../view/amount-text.js';
import { Document } from '../view/document.js';
import { MoneyBar } from '../view/money-bar.js';
import { useLink, usePage } from '../view/page-context.js';
import { Act, Money, Needs, Panel, Words } from '../view/parts.js';
import { Shape, Status } from '../view/shape.js';
import { dateOf, dayText } from '../view/time-text.js';
import { lineOf, type TimelineKind } from '../view/timeline-line.js';
import { When } from '../view/when.js';
import { methodText, paymentWords, receiptWords } from '../view/words.js';
import { Deliveries, Notifications, Receipts, Refunds, Requests } from './payment-tables.js';

interface PaymentPageProps {
  readonly record: PaymentRecord;
  readonly shown: TimelineKind | 'all';
}

const actionNames: Readonly<Record<PaymentAction, string>> = {
  capture: 'Capture…',
  cancel: 'Cancel…',
  refund: 'Refund…',
  note: 'Note…',
};

/** All of one payment. */
export function PaymentPage({ record, shown }: PaymentPageProps): JSX.Element {
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
          <div class="panel group">
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

function Head({
  record: { payment, needs, refunds, operations },
}: {
  readonly record: PaymentRecord;
}): JSX.Element {
  const link = useLink();
  const { mayAct, orderUrl } = usePage();
  const url = orderUrl(payment.orderReference);
  const store = `?${new URLSearchParams({ store: payment.store }).toString()}`;
  const actions = mayAct ? availableActions({ payment, refunds, operations }) : [];
  return (
    <div class="hero">
      <div>
        <h1>
          Order <b>{payment.orderReference}</b>{' '}
          {url !== null && (
            <a href={url}>
              in the shop <Shape name="out" />
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

function Facts({ record: { payment, order } }: { readonly record: PaymentRecord }): JSX.Element {
  const { cancellation, holdExpiresAt, receiptStatus } = payment;
  const method = methodText(payment);
  return (
    <dl class="facts rule">
      <Fact name="Order">
        {`${order.state.replaceAll('_', ' ')}: ${amountText(order.paid)} paid of ${amountText(order.totalDue)}`}
      </Fact>
      <Fact name="Method">{method === '' ? 'not chosen yet' : method}</Fact>
      <Fact name="Created">
        <When at={payment.createdAt} />
      </Fact>
      {holdExpiresAt !== null && (
        <Fact name="The hold ends">
          <When at={holdExpiresAt} />
        </Fact>
      )}
      {cancellation !== null && (
        <Fact name="Canceled by">
          {cancellation.party}: {cancellation.reason}
        </Fact>
      )}
      {receiptStatus !== null && (
        <Fact name="Receipt">
          <Words told={receiptWords[receiptStatus]} />
        </Fact>
      )}
      <Fact name="Our id">
        <span class="id">{payment.id}</span>
      </Fact>
      <Fact name="The service's id">
        <span class="id">{payment.serviceId ?? 'none yet'}</span>
      </Fact>
      <Fact name="Store">
        <span class="id">{payment.store}</span>
      </Fact>
      {payment.description !== null && <Fact name="Description">{payment.description}</Fact>}
    </dl>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: JSX.Element | string | (JSX.Element | string)[];
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const kinds = ['all', 'money', 'people', 'technical'] as const;

function Timeline({ record: { payment, timeline }, shown }: PaymentPageProps): JSX.Element {
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
