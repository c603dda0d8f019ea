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
import {
  deliveryWords,
  methodText,
  operationWords,
  paymentWords,
  receiptWords,
  refundWords,
} from '../view/words.js';

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

interface PartProps {
  readonly record: PaymentRecord;
}

function Refunds({ record: { refunds } }: PartProps): JSX.Element {
  return (
    <section aria-label="Refunds">
      <div class="head">
        <h2>Refunds</h2>
      </div>
      {refunds.length === 0 ? (
        <p class="empty">None.</p>
      ) : (
        <table class="plain">
          <caption class="vh">Refunds of this payment</caption>
          <thead>
            <tr>
              <th scope="col">Of</th>
              <th scope="col">State</th>
              <th scope="col">Sum</th>
            </tr>
          </thead>
          <tbody>
            {refunds.map(({ refundKey, status, amount, createdAt, cancellation }) => (
              <tr>
                <th scope="row">
                  {refundKey ?? 'made outside'}{' '}
                  <small>
                    <When at={createdAt} />
                  </small>
                </th>
                <td>
                  <Words told={refundWords[status]} />{' '}
                  {cancellation !== null && <small>{cancellation.reason}</small>}
                </td>
                <td class="num">
                  <Money amount={amount} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Receipts({ record: { receipts } }: PartProps): JSX.Element {
  return (
    <section aria-label="Receipts">
      <div class="head">
        <h2>Receipts sent by themselves</h2>
      </div>
      {receipts.length === 0 ? (
        <p class="empty">None.</p>
      ) : (
        <table class="plain">
          <caption class="vh">Receipts of this payment</caption>
          <thead>
            <tr>
              <th scope="col">Of</th>
              <th scope="col">State</th>
              <th scope="col">Sum</th>
            </tr>
          </thead>
          <tbody>
            {receipts.map(({ receiptKey, type, status, amount }) => (
              <tr>
                <th scope="row">
                  {type} <small>{receiptKey}</small>
                </th>
                <td>
                  <Words told={receiptWords[status]} />
                </td>
                <td class="num">
                  <Money amount={amount} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Deliveries({ record: { payment, deliveries } }: PartProps): JSX.Element {
  const { mayAct } = usePage();
  return (
    <section aria-label="Deliveries">
      <div class="head">
        <h2>Deliveries</h2>
      </div>
      {deliveries.length === 0 ? (
        <p class="empty">No handler has to do with this payment.</p>
      ) : (
        <table class="plain">
          <caption class="vh">Deliveries of this payment&apos;s events</caption>
          <thead>
            <tr>
              <th scope="col">Handler</th>
              <th scope="col">State</th>
              <th scope="col">Tries</th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map(
              ({ eventId, handlerId, eventName, state, attempts, lastError, nextAttemptAt }) => (
                <tr>
                  <th scope="row">
                    {handlerId} <small>{eventName}</small>
                    {lastError !== null && state !== 'done' && <small class="err">{lastError}</small>}
                  </th>
                  <td>
                    <Words told={deliveryWords[state]} />{' '}
                    {nextAttemptAt !== null && (
                      <small>
                        next <When at={nextAttemptAt} />
                      </small>
                    )}
                    {mayAct && (state === 'parked' || state === 'failing') && (
                      <Act
                        path="deliveries/retry"
                        fields={{ eventId, handlerId, paymentId: payment.id, store: payment.store }}
                      >
                        Run again<span class="vh">: {handlerId}</span>
                      </Act>
                    )}
                  </td>
                  <td class="num">{attempts}</td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Requests({ record: { operations } }: PartProps): JSX.Element {
  return (
    <section aria-label="Requests">
      <div class="head">
        <h2>Requests</h2>
      </div>
      <table class="plain">
        <caption class="vh">Requests to the service</caption>
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Outcome</th>
            <th scope="col">Tries</th>
          </tr>
        </thead>
        <tbody>
          {operations.map(({ kind, idempotenceKey, outcome, attempts, lastError }) => (
            <tr>
              <th scope="row">
                {kind}{' '}
                <small>
                  key <span class="id cut">{idempotenceKey}</span>
                </small>
              </th>
              <td>
                <Words told={operationWords[outcome ?? 'none']} />
                {lastError !== null && outcome !== 'confirmed' && (
                  <small class="err">{JSON.stringify(lastError)}</small>
                )}
              </td>
              <td class="num">{attempts}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Notifications({ record: { notifications } }: PartProps): JSX.Element {
  return (
    <section aria-label="Notifications">
      <div class="head">
        <h2>Notifications</h2>
      </div>
      {notifications.length === 0 ? (
        <p class="empty">None has come.</p>
      ) : (
        <table class="plain">
          <caption class="vh">Notifications about this payment</caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Last</th>
              <th scope="col">Came</th>
            </tr>
          </thead>
          <tbody>
            {notifications.map(({ event, lastAt, count, senderAddress }) => (
              <tr>
                <th scope="row">
                  {event} <small>from {senderAddress}</small>
                </th>
                <td>
                  <When at={lastAt} />
                </td>
                <td class="num">{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
