import type { AuditPage, KeptAudit } from '@holdfast/payments';
import type { JSX } from 'preact';
import { countText } from '../view/amount-text.js';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Pager } from '../view/pager.js';
import { Empty, Table, Words } from '../view/parts.js';
import { Shape } from '../view/shape.js';
import { When } from '../view/when.js';
import { auditWords } from './audit-words.js';

/** What the form has in its fields. */
export interface BooksForm {
  /** `2030-01-31`, or empty. */
  readonly from: string;
  readonly to: string;
  /** Empty: the shop's own. */
  readonly store: string;
  /** What is wrong with what was entered; null: nothing. */
  readonly fault: string | null;
}

interface BooksPageProps {
  readonly page: AuditPage;
  readonly form: BooksForm;
  readonly isFirst: boolean;
}

/** The comparisons that were made, and the way to another one. */
export function BooksPage({ page, form, isFirst }: BooksPageProps): JSX.Element {
  const { mayAct, timeZone } = usePage();
  const { store } = form;
  return (
    <Document title="Books">
      <h1>Books</h1>
      {form.fault !== null && (
        <div class="note is-bad" role="alert">
          <Shape name="stop" />
          <p>{form.fault}</p>
        </div>
      )}
      {mayAct && <CompareForm form={form} />}
      {page.items.length === 0 ? (
        <Empty title="Not compared yet">
          A comparison lists what the service has of some days, and keeps what differs from the rows here. It
          changes nothing.
        </Empty>
      ) : (
        <section class="panel" aria-label="Comparisons">
          <Table
            caption={<span class="mute">The newest first, times in {timeZone}</span>}
            columns={['Begun', 'Result', 'Period', 'By', 'Payments']}
          >
            {page.items.map((audit) => (
              <Row audit={audit} />
            ))}
          </Table>
          <Pager page={page} path="books" query={store === '' ? {} : { store }} isFirst={isFirst} />
        </section>
      )}
    </Document>
  );
}

function CompareForm({ form: { from, to, store, fault } }: { readonly form: BooksForm }): JSX.Element {
  const link = useLink();
  const { now } = usePage();
  const invalid = fault !== null && { 'aria-invalid': 'true' as const };
  return (
    <form class="filters" method="post" action={link('books')} aria-label="Compare the books">
      {/* Sent twice, it names the same period, and so the same comparison. */}
      <input type="hidden" name="asof" value={now.toISOString()} />
      <div class="field">
        <label for="from">First day</label>
        <input id="from" name="from" type="date" value={from} required {...invalid} />
      </div>
      <div class="field">
        <label for="to">Last day</label>
        <input id="to" name="to" type="date" value={to} required {...invalid} />
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
      <button class="btn main" type="submit">
        Compare
      </button>
    </form>
  );
}

function Row({ audit }: { readonly audit: KeptAudit }): JSX.Element {
  const link = useLink();
  const { id, startedAt, from, to, by, payments } = audit;
  return (
    <tr id={`audit-${id}`}>
      <td class="when">
        <When at={startedAt} />
      </td>
      <td class="state">
        <Words told={auditWords(audit)} />
      </td>
      <th scope="row">
        <a href={link(`books/${id}`)}>
          <When at={from} only="moment" /> – <When at={to} only="moment" />
        </a>
      </th>
      <td data-label="By:">{by}</td>
      <td class="num" data-label="Payments:">
        {countText(payments)}
      </td>
    </tr>
  );
}

/** On the overview: what the last comparison of the shop's own books has shown. */
export function LastAudit({ audit }: { readonly audit: KeptAudit | null }): JSX.Element {
  const link = useLink();
  return (
    <section class="panel" aria-label="Books">
      <div class="head">
        <h2>Books</h2>
        <p class="mute">
          <a href={link('books')}>All comparisons</a>
        </p>
      </div>
      <div class="body">
        {audit === null ? (
          <p>Not compared yet.</p>
        ) : (
          <p>
            <Words told={auditWords(audit)} />{' '}
            <a href={link(`books/${audit.id}`)}>
              <When at={audit.from} only="moment" /> – <When at={audit.to} only="moment" />
            </a>{' '}
            <span class="mute">
              compared <When at={audit.doneAt ?? audit.startedAt} />
            </span>
          </p>
        )}
      </div>
    </section>
  );
}
