import type { Counted, PaymentPage, PaymentStatus } from '@holdfast/payments';
import type { JSX } from 'preact';
import { countText } from '../view/amount-text.js';
import { Document } from '../view/document.js';
import { usePage } from '../view/page-context.js';
import { Pager } from '../view/pager.js';
import { Empty, Tabs, type Tab } from '../view/parts.js';
import { PaymentTable } from '../view/payment-table.js';

/** What was asked for, as the form shows it again. */
export interface PaymentQuery {
  readonly q: string;
  readonly status: PaymentStatus | null;
  /** `2030-01-31`, or empty. */
  readonly from: string;
  readonly to: string;
  readonly store: string;
}

interface PaymentsPageProps {
  readonly query: PaymentQuery;
  readonly page: PaymentPage;
  readonly counts: Readonly<Record<PaymentStatus, Counted>>;
  readonly isFirst: boolean;
}

const tabs: readonly {
  readonly status: PaymentStatus | null;
  readonly name: string;
  readonly isCounted: boolean;
}[] = [
  { status: null, name: 'All', isCounted: false },
  { status: 'pending', name: 'Waiting', isCounted: true },
  { status: 'waiting_for_capture', name: 'Held', isCounted: true },
  { status: 'succeeded', name: 'Succeeded', isCounted: false },
  { status: 'canceled', name: 'Canceled', isCounted: false },
  { status: 'rejected', name: 'Rejected', isCounted: false },
  { status: 'submitting', name: 'Unknown outcome', isCounted: true },
];

export function PaymentsPage({ query, page, counts, isFirst }: PaymentsPageProps): JSX.Element {
  const { items } = page;
  const fields = fieldsOf(query);
  return (
    <Document title="Payments">
      <h1>Payments</h1>
      <Tabs label="Payments by status" tabs={tabs.map((tab) => tabOf(tab, query, counts))} />
      <Filters query={query} />
      {items.length === 0 ? (
        <Nothing isFiltered={Object.keys(fields).length > 0} />
      ) : (
        <section class="panel" aria-label="Payments found">
          <PaymentTable name="found" caption={<Caption />} items={items} />
          <Pager page={page} path="payments" query={fields} isFirst={isFirst} />
        </section>
      )}
    </Document>
  );
}

function Caption(): JSX.Element {
  const { timeZone } = usePage();
  return <span class="mute">The newest first, times in {timeZone}</span>;
}

function tabOf(
  { status, name, isCounted }: (typeof tabs)[number],
  query: PaymentQuery,
  counts: PaymentsPageProps['counts'],
): Tab {
  const { q: _text, status: _status, ...kept } = query;
  const address = new URLSearchParams(fieldsOf({ ...kept, q: '', status })).toString();
  const counted = isCounted && status !== null ? counts[status] : null;
  return {
    path: address === '' ? 'payments' : `payments?${address}`,
    name,
    isCurrent: query.q === '' && query.status === status,
    ...(counted !== null &&
      counted.count > 0 && { count: `${countText(counted.count)}${counted.more ? '+' : ''}` }),
  };
}

function Filters({ query }: { readonly query: PaymentQuery }): JSX.Element {
  const { q, status, from, to, store } = query;
  return (
    <form class="filters" role="search" aria-label="Search payments">
      <div class="field">
        <label for="find">Order, id, *last four digits or amount</label>
        <input
          id="find"
          name="q"
          type="search"
          value={q}
          maxLength={256}
          autocomplete="off"
          spellcheck={false}
        />
      </div>
      <div class="field">
        <label for="from">From</label>
        <input id="from" name="from" type="date" value={from} />
      </div>
      <div class="field">
        <label for="to">To</label>
        <input id="to" name="to" type="date" value={to} />
      </div>
      <div class="field">
        <label for="store">Store</label>
        <input
          id="store"
          name="store"
          value={store}
          placeholder="the shop's own"
          autocomplete="off"
          spellcheck={false}
        />
      </div>
      {status !== null && <input type="hidden" name="status" value={status} />}
      <button class="btn" type="submit">
        Search
      </button>
    </form>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  return isFiltered ? (
    <Empty title="No payment matches">
      Try a part of the search less. An order is found by its whole reference.
    </Empty>
  ) : (
    <Empty title="No payments yet">They appear here as soon as an order is paid for.</Empty>
  );
}

/** Without what is empty. */
function fieldsOf({ q, status, from, to, store }: PaymentQuery): Record<string, string> {
  const all = { q, status: status ?? '', from, to, store };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
