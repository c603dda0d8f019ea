import type { RecordedOperation } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { Empty, PaymentLink, Table, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import { operationWords } from '../view/words.js';

export function RequestsPage({
  operations,
}: {
  readonly operations: readonly RecordedOperation[];
}): JSX.Element {
  return (
    <Document title="Requests">
      <h1>Requests</h1>
      {operations.length === 0 ? (
        <Empty title="Every request has its answer">
          A request that moves money stands here until its outcome is known.
        </Empty>
      ) : (
        <section class="panel" aria-label="Requests without an outcome">
          <Table
            caption={<span class="mute">Without an outcome, the oldest first, at most 100</span>}
            columns={['Recorded', 'Outcome', 'Order', 'Request', 'Key', 'Tries']}
          >
            {operations.map((operation) => (
              <Row operation={operation} />
            ))}
          </Table>
        </section>
      )}
    </Document>
  );
}

function Row({ operation }: { readonly operation: RecordedOperation }): JSX.Element {
  const { recordedAt, paymentId, store, orderReference, kind, outcome, idempotenceKey, attempts, lastError } =
    operation;
  return (
    <tr id={`request-${idempotenceKey}`}>
      <td class="when">
        <When at={recordedAt} />
      </td>
      <td class="state">
        <Words told={operationWords[outcome ?? 'none']} />
        {lastError !== null && <small class="err">{JSON.stringify(lastError)}</small>}
      </td>
      <th scope="row">
        <PaymentLink paymentId={paymentId} store={store}>
          <span class="id">{orderReference}</span>
        </PaymentLink>
      </th>
      <td data-label="Request:">{kind}</td>
      <td data-label="Key:">
        <span class="id">{idempotenceKey}</span>
      </td>
      <td class="num" data-label="Tries:">
        {attempts}
      </td>
    </tr>
  );
}
