import type { ReceiptProblem } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { Empty, PaymentLink, Table, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import type { Told } from '../view/words.js';

const kindWords: Readonly<Record<ReceiptProblem['kind'], Told>> = {
  failed: { word: 'failed', shape: 'stop', tone: 'bad' },
  late: { word: 'late', shape: 'warn', tone: 'warn' },
  missing: { word: 'missing', shape: 'stop', tone: 'bad' },
};

const remedyWords: Readonly<Record<NonNullable<ReceiptProblem['remedy']>, string>> = {
  send_again: 'It can be sent again.',
  send_it: 'Nobody has said what is on it: send it with payments.receipts.create.',
  ask_service_support: "Ask the service's support: it cannot be sent a second time from here.",
  make_by_hand: 'Make it by hand in the register, then note here that it is resolved.',
};

export function ReceiptsPage({ problems }: { readonly problems: readonly ReceiptProblem[] }): JSX.Element {
  return (
    <Document title="Receipts">
      <h1>Receipts</h1>
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
  const { kind, since, paymentId, store, refundId, receiptKey, remedy } = problem;
  return (
    <tr>
      <td class="state">
        <Words told={kindWords[kind]} />
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
        {remedy === null
          ? 'Who registers receipts is not known: set fiscalization.register.'
          : remedyWords[remedy]}
      </td>
    </tr>
  );
}
