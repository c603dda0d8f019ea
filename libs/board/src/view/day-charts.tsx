import { formatAmount, type DayOfMoney } from '@holdfast/payments';
import type { JSX } from 'preact';
import { amountText, countText, minorOf } from './amount-text.js';
import { usePage } from './page-context.js';
import { Money } from './parts.js';

/** Charts in per cent of their box, so that nothing is stretched and no style attribute is needed. */
export function DayCharts({ days }: { readonly days: readonly DayOfMoney[] }): JSX.Element {
  return (
    <>
      <div class="cols even">
        <Taken days={days} />
        <Share days={days} />
        <Reasons days={days} />
      </div>
      <Numbers days={days} />
    </>
  );
}

interface DaysProps {
  readonly days: readonly DayOfMoney[];
}

const total = (days: readonly DayOfMoney[], of: (day: DayOfMoney) => number): number =>
  days.reduce((sum, day) => sum + of(day), 0);

/** To a hundredth of a per cent. */
const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100}%`;

function Taken({ days }: DaysProps): JSX.Element {
  const { timeZone } = usePage();
  const most = Math.max(1, ...days.map(({ taken }) => minorOf(taken)));
  const step = 100 / days.length;
  const sum = formatAmount(total(days, ({ taken }) => minorOf(taken)));
  const last = days.at(-1);
  return (
    <section class="panel chart w6 w-full" aria-labelledby="taken">
      <div class="head">
        <h2 id="taken">Money taken</h2>
        <p class="mute">
          {days.length} days, by day in {timeZone}
        </p>
      </div>
      <div class="body">
        <p>
          <span class="big">
            <Money amount={sum} />
          </span>{' '}
          <span class="mute">
            in {countText(total(days, ({ succeeded }) => succeeded))} payments, before refunds
          </span>
        </p>
        <div class="plot">
          <div class="y" aria-hidden="true">
            <span>{amountText(formatAmount(most))}</span>
            <span>0</span>
          </div>
          <svg class="bars-v" role="img" aria-labelledby="taken-alt">
            <title id="taken-alt">
              {`Money taken per day: at most ${amountText(formatAmount(most))}${last === undefined ? '' : `, ${amountText(last.taken)} so far today`}. The numbers stand in the table below.`}
            </title>
            <line class="gridline" x2="100%" />
            <line class="gridline" x2="100%" y1="50%" y2="50%" />
            {days.map(({ day, taken }, index) => (
              <rect
                {...(day === last?.day && { class: 'today' })}
                x={`${(index + 0.17) * step}%`}
                width={`${step * 0.66}%`}
                y={percent(most - minorOf(taken), most)}
                height={percent(minorOf(taken), most)}
              >
                <title>{`${day}: ${amountText(taken)}`}</title>
              </rect>
            ))}
            <line class="gridline base" x2="100%" y1="100%" y2="100%" />
          </svg>
          <div class="x" aria-hidden="true">
            {days.map(({ day }) => (
              <span>{day.slice(8)}</span>
            ))}
          </div>
        </div>
      </div>
    </section>
  );
}

function Share({ days }: DaysProps): JSX.Element {
  const succeeded = total(days, (day) => day.succeeded);
  const all = succeeded + total(days, (day) => day.canceled);
  return (
    <section class="panel chart w3" aria-labelledby="share">
      <div class="head">
        <h2 id="share">Share of success</h2>
        <p class="mute">{days.length} days</p>
      </div>
      <div class="body">
        <p>
          <span class="big">{all === 0 ? '–' : percent(succeeded, all).replace('.', ',')}</span>{' '}
          <span class="mute">
            {countText(succeeded)} of {countText(all)} payments
          </span>
        </p>
        <p class="mute">
          Refunded: <Money amount={formatAmount(total(days, ({ refunded }) => minorOf(refunded)))} />
        </p>
      </div>
    </section>
  );
}

function Reasons({ days }: DaysProps): JSX.Element {
  const canceled = total(days, (day) => day.canceled);
  const counts = new Map<string, number>();
  for (const { reasons } of days)
    for (const [reason, count] of Object.entries(reasons))
      counts.set(reason, (counts.get(reason) ?? 0) + count);
  const listed = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, 5);
  const most = listed[0]?.[1] ?? 1;
  return (
    <section class="panel chart w3" aria-labelledby="why">
      <div class="head">
        <h2 id="why">Why canceled</h2>
        <p class="mute">{days.length} days</p>
      </div>
      <div class="body">
        <p>
          <span class="big">{countText(canceled)}</span> <span class="mute">payments</span>
        </p>
        <ol class="reasons">
          {listed.map(([reason, count]) => (
            <li>
              <span>{reason}</span> <span>{countText(count)}</span>
              <svg aria-hidden="true">
                <rect class="track" width="100%" height="100%" />
                <rect width={percent(count, most)} height="100%" />
              </svg>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

function Numbers({ days }: DaysProps): JSX.Element {
  return (
    <details>
      <summary>The same {days.length} days as a table</summary>
      <div class="panel">
        <table class="list">
          <caption class="vh">Money and outcomes by day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Taken</th>
              <th scope="col">Held</th>
              <th scope="col">Refunded</th>
              <th scope="col">Succeeded</th>
              <th scope="col">Canceled</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, taken, held, refunded, succeeded, canceled }) => (
              <tr>
                <th scope="row">
                  <time datetime={day}>{day}</time>
                </th>
                <td class="num">{amountText(taken)}</td>
                <td class="num">{amountText(held)}</td>
                <td class="num">{amountText(refunded)}</td>
                <td class="num">{succeeded}</td>
                <td class="num">{canceled}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
