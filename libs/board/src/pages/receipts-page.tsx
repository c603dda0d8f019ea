import type { ReceiptProblem } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Empty, PaymentLink, Table, Tabs, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import { receiptProblemWords } from '../view/words.js';

const remedyWords: Readonly<Record<NonNullable<ReceiptProblem['remedy']>, string>> = {
  send_again: 'It can be sent again.',
  send_it: 'Nobody has said what is on it: send it with payments.receipts.create.',
  ask_service_support: "Ask the service's support: it cannot be sent a second time from here.",
  make_by_hand: 'Make it by hand in the register, then note here that it is resolved.',
};

/** What needs a person, and what was paid in advance. */
export function ReceiptTabs({ current }: { readonly current: 'problems' | 'prepaid' }): JSX.Element {
  const tabs = [
    { path: 'receipts', name: 'Need a person', isCurrent: current === 'problems' },
    { path: 'receipts?tab=prepaid', name: 'Paid in advance', isCurrent: current === 'prepaid' },
  ];
  return <Tabs label="Receipts" tabs={tabs} />;
}

export function ReceiptsPage({ problems }: { readonly problems: readonly ReceiptProblem[] }): JSX.Element {
  return (
    <Document title="Receipts">
      <h1>Receipts</h1>
      <ReceiptTabs current="problems" />
      {problems.length === 0 ? (
        <Empty title="No receipt needs a person">None has failed, is late or is missing.</Empty>
      ) : (
        <section class="panel" aria-label="Receipts that need a person">
          <Table
            caption={<span class="mute">The oldest first, at most 100</span>}
            columns={['State', 'Of', 'What helps']}
            isNumbered={false}
          >
            {problems.map((problem) => (
              <Row problem={problem} />
            ))}
          </Table>
        </section>
      )}
    </Document>
  );
}

function Row({ problem }: { readonly problem: ReceiptProblem }): JSX.Element {
  const { id, kind, since, paymentId, store, refundId, receiptKey } = problem;
  return (
    <tr id={`receipt-${id}`}>
      <td class="state">
        <Words told={receiptProblemWords[kind]} />
        <small>
          <When at={since} />
        </small>
      </td>
      <th scope="row">
        <PaymentLink paymentId={paymentId} store={store}>
          {refundId === null ? 'a payment' : 'a refund'}
          {receiptKey !== null && ` (${receiptKey})`}
        </PaymentLink>
      </th>
      <td>
        <ReceiptHelp problem={problem} />
      </td>
    </tr>
  );
}

/** What helps, and the way there for whoever may act. */
export function ReceiptHelp({ problem }: { readonly problem: ReceiptProblem }): JSX.Element {
  const link = useLink();
  const { mayAct } = usePage();
  const { id, paymentId, store, remedy } = problem;
  const query = new URLSearchParams({ store, problem: id }).toString();
  return (
    <>
      <p>
        {remedy === null
          ? 'Who registers receipts is not known: set fiscalization.register.'
          : remedyWords[remedy]}
      </p>
      {mayAct && (
        <p class="acts">
          {remedy === 'send_again' && (
            <a class="btn" href={link(`payments/${paymentId}/send-receipt?${query}`)}>
              Send again…
            </a>
          )}
          <a class="btn" href={link(`payments/${paymentId}/close-receipt?${query}`)}>
            Taken care of…
          </a>
        </p>
      )}
    </>
  );
}
