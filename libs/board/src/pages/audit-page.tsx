import {
  auditedSideText,
  differenceText,
  type AuditDifference,
  type KeptAuditInFull,
} from '@holdfast/payments';
import type { JSX } from 'preact';
import { amountText, countText } from '../view/amount-text.js';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Empty, Panel, PaymentLink, Table, Words } from '../view/parts.js';
import { dateOf } from '../view/time-text.js';
import { When } from '../view/when.js';
import { auditWords, objectWord, whatHelps } from './audit-words.js';
import { Fact } from './payment-facts.js';

/** One comparison: how far it is, and what it found. */
export function AuditPage({ audit }: { readonly audit: KeptAuditInFull }): JSX.Element {
  const link = useLink();
  const { state, differences, differenceCount } = audit;
  return (
    <Document title="Comparison of the books">
      <p class="crumb">
        <a href={link('books')}>← Books</a>
      </p>
      <div class="hero">
        <div>
          <h1>
            Books from <When at={audit.from} only="moment" /> to <When at={audit.to} only="moment" />
          </h1>
          <p class="row">
            <Words told={auditWords(audit)} pill />
          </p>
        </div>
        {state !== 'done' && <Next audit={audit} />}
      </div>
      <Progress audit={audit} />
      {differences.length > 0 ? (
        <section class="panel" aria-label="Differences">
          <Table
            caption={
              <span class="mute">
                {differenceCount > differences.length
                  ? `The first ${countText(differences.length)} of ${countText(differenceCount)}`
                  : 'Read twice on both sides'}
              </span>
            }
            columns={['What', 'Differs', 'Here', 'There', 'What helps']}
            isNumbered={false}
          >
            {differences.map((difference) => (
              <Row difference={difference} store={audit.store} />
            ))}
          </Table>
        </section>
      ) : (
        state === 'done' && (
          <Empty title="Nothing differs">What was compared is the same on both sides.</Empty>
        )
      )}
    </Document>
  );
}

/** Where to look again, or to go on from. */
function Next({
  audit: { id, state, from, to, comparedTo, store },
}: {
  readonly audit: KeptAuditInFull;
}): JSX.Element {
  const link = useLink();
  const { mayAct, timeZone } = usePage();
  const [first, last] = [comparedTo ?? from, to].map((at) => dateOf(at, timeZone));
  const again = new URLSearchParams({ store, from: first ?? '', to: last ?? '' }).toString();
  if (state === 'running')
    return (
      <div class="bottom">
        <a class="btn" href={link(`books/${id}`)}>
          Look again
        </a>
      </div>
    );
  return (
    <div class="bottom">
      {mayAct && (
        <a class="btn" href={link(`books?${again}`)}>
          Go on from there
        </a>
      )}
    </div>
  );
}

function Progress({ audit }: { readonly audit: KeptAuditInFull }): JSX.Element {
  const {
    from,
    to,
    comparedTo,
    startedAt,
    doneAt,
    by,
    error,
    store,
    payments,
    refunds,
    receipts,
    unsettledCount,
  } = audit;
  const whole = to.getTime() - from.getTime();
  const part = comparedTo === null ? 0 : comparedTo.getTime() - from.getTime();
  return (
    <Panel title="Compared" aside={`asked for by ${by}`}>
      <div class="body">
        <progress
          max={100}
          value={Math.floor((part * 100) / whole)}
          aria-label="How much of the period is compared"
        />
        <dl class="facts">
          <Fact name="Up to">
            {comparedTo === null ? 'nothing yet' : <When at={comparedTo} only="moment" />}
          </Fact>
          <Fact name="Begun">
            <When at={startedAt} />
          </Fact>
          {doneAt !== null && (
            <Fact name="Ended">
              <When at={doneAt} />
            </Fact>
          )}
          <Fact name="Payments">{countText(payments)}</Fact>
          <Fact name="Refunds">{countText(refunds)}</Fact>
          <Fact name="Receipts">
            {receipts === null ? 'not compared: the key may not list them' : countText(receipts)}
          </Fact>
          <Fact name="Paid in advance, overdue">{countText(unsettledCount)}</Fact>
          <Fact name="Store">
            <span class="id">{store}</span>
          </Fact>
          {error !== null && (
            <Fact name="The last try failed">
              <span class="err">{error}</span>
            </Fact>
          )}
        </dl>
      </div>
    </Panel>
  );
}

function Row({
  difference,
  store,
}: {
  readonly difference: AuditDifference;
  readonly store: string;
}): JSX.Element {
  const { paymentId, serviceId, here, there } = difference;
  const id = <span class="id">{serviceId}</span>;
  return (
    <tr>
      <th scope="row">
        {objectWord(difference)}{' '}
        {paymentId === null ? (
          id
        ) : (
          <PaymentLink paymentId={paymentId} store={store}>
            {id}
          </PaymentLink>
        )}
      </th>
      <td class="state">
        <Words told={{ word: differenceText(difference, amountText), shape: 'stop', tone: 'bad' }} />
      </td>
      <td data-label="Here:">{auditedSideText(here, amountText)}</td>
      <td data-label="There:">{auditedSideText(there, amountText)}</td>
      <td>{whatHelps(difference)}</td>
    </tr>
  );
}
