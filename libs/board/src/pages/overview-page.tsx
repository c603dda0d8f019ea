import type { AuditPage, Backlog, Condition, DayOfMoney, PaymentPage, Waiting } from '@holdfast/payments';
import type { JSX } from 'preact';
import { countText } from '../view/amount-text.js';
import { DayCharts } from '../view/day-charts.js';
import { Document, placeOf } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Empty } from '../view/parts.js';
import { PaymentTable } from '../view/payment-table.js';
import { Shape } from '../view/shape.js';
import { durationText } from '../view/time-text.js';
import { LastAudit } from './books-page.js';

export interface Overview {
  /** null: the database did not tell. */
  readonly backlog: Backlog | null;
  /** The last fortnight, of the shop's own store; null: there is none. */
  readonly days: readonly DayOfMoney[] | null;
  readonly holds: PaymentPage | null;
  readonly newest: PaymentPage | null;
  readonly books: AuditPage | null;
}

export function OverviewPage({ overview }: { readonly overview: Overview }): JSX.Element {
  const { backlog, days, holds, newest, books } = overview;
  const { conditions } = usePage();
  return (
    <Document title="Overview">
      <Verdict />
      {conditions !== null && conditions.length > 0 && (
        <ol class="needs panel">
          {conditions.map((condition) => (
            <Need condition={condition} />
          ))}
        </ol>
      )}
      {backlog !== null && <Progress backlog={backlog} />}
      {days !== null && <DayCharts days={days} />}
      {books !== null && <LastAudit audit={books.items[0] ?? null} />}
      {holds !== null && holds.items.length > 0 && (
        <section class="panel" aria-label="Holds that end next">
          <PaymentTable name="hold" caption={<b>Holds that end next</b>} items={holds.items.slice(0, 5)} />
        </section>
      )}
      {newest !== null &&
        (newest.items.length === 0 ? (
          <Empty title="No payments yet">They appear here as soon as an order is paid for.</Empty>
        ) : (
          <section class="panel" aria-label="Newest payments">
            <PaymentTable name="newest" caption={<b>Newest payments</b>} items={newest.items.slice(0, 10)} />
          </section>
        ))}
    </Document>
  );
}

function Progress({ backlog }: { readonly backlog: Backlog }): JSX.Element {
  return (
    <section aria-labelledby="progress">
      <h2 id="progress" class="vh">
        In progress
      </h2>
      <dl class="figures panel">
        {figures.map(({ name, path, figure }) => (
          <Figure name={name} path={path} waiting={backlog[figure]} />
        ))}
      </dl>
    </section>
  );
}

/** What everything else on the page adds up to. It is never good if the database did not tell. */
function Verdict(): JSX.Element {
  const { conditions } = usePage();
  if (conditions === null)
    return (
      <div class="verdict is-bad">
        <Shape name="unknown" />
        <h1>Not known</h1>
        <p>The database did not tell what waits.</p>
      </div>
    );
  const urgent = conditions.filter(({ needsPerson }) => needsPerson).length;
  if (urgent > 0)
    return (
      <div class="verdict is-bad">
        <Shape name="stop" />
        <h1>{urgent === 1 ? '1 thing needs a person' : `${urgent} things need a person`}</h1>
        <Oldest conditions={conditions} />
      </div>
    );
  if (conditions.length > 0)
    return (
      <div class="verdict is-warn">
        <Shape name="warn" />
        <h1>{conditions.length === 1 ? '1 thing to look at' : `${conditions.length} things to look at`}</h1>
        <Oldest conditions={conditions} />
      </div>
    );
  return (
    <div class="verdict is-good">
      <Shape name="done" />
      <h1>Nothing needs a person</h1>
    </div>
  );
}

function Oldest({ conditions }: { readonly conditions: readonly Condition[] }): JSX.Element | null {
  const oldestMs = Math.max(...conditions.map((condition) => condition.oldestMs ?? 0));
  return oldestMs > 0 ? <p>the oldest for {durationText(oldestMs)}</p> : null;
}

function Need({ condition }: { readonly condition: Condition }): JSX.Element {
  const link = useLink();
  const { name, text, remedy, oldestMs, needsPerson } = condition;
  const { path, name: place } = placeOf(name);
  return (
    <li id={name} class={needsPerson ? 'is-bad' : 'is-warn'}>
      <Shape name={needsPerson ? 'stop' : 'warn'} />
      <div>
        <h2>{`${text.charAt(0).toUpperCase()}${text.slice(1)}${oldestMs === null ? '' : `, the oldest for ${durationText(oldestMs)}`}`}</h2>
        <p>What helps: {remedy}</p>
      </div>
      <div class="acts">
        <a class="btn" href={link(path)}>
          Open<span class="vh"> {place}</span>
        </a>
      </div>
    </li>
  );
}

const figures = [
  { name: 'Deliveries failing', path: 'deliveries?tab=failing', figure: 'failingDeliveries' },
  { name: 'Payments due', path: 'payments?status=pending', figure: 'payments' },
  { name: 'Requests without answer', path: 'requests', figure: 'operations' },
  { name: 'Notifications to handle', path: 'notifications', figure: 'notifications' },
  { name: 'Events due', path: 'handlers', figure: 'deliveries' },
  { name: 'Holds to decide', path: 'holds', figure: 'flaggedHolds' },
  { name: 'Owners asked', path: 'stores', figure: 'waitingForOwners' },
] as const satisfies readonly { name: string; path: string; figure: keyof Backlog }[];

function Figure({
  name,
  path,
  waiting: { count, more, oldestMs },
}: {
  readonly name: string;
  readonly path: string;
  readonly waiting: Waiting;
}): JSX.Element {
  const link = useLink();
  return (
    <div {...(count === 0 && { class: 'zero' })}>
      <dt>
        <a href={link(path)}>{name}</a>
      </dt>
      <dd>{`${countText(count)}${more ? '+' : ''}`}</dd>
      {oldestMs !== null && <dd>oldest {durationText(oldestMs)}</dd>}
    </div>
  );
}
