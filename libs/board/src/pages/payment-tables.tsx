import { refundCancellationText, type PaymentRecord } from '@holdfast/payments';
import type { JSX } from 'preact';
import { oddRefunds } from '../payment-actions.js';
import { useLink, usePage } from '../view/page-context.js';
import { Act, Money, Words } from '../view/parts.js';
import { PlainTable } from '../view/plain-table.js';
import { When } from '../view/when.js';
import {
  deliveryWords,
  operationWords,
  receiptProblemWords,
  receiptWords,
  refundWords,
} from '../view/words.js';
import { IncidentHelp, incidentWords } from './incidents-page.js';
import { ReceiptHelp } from './receipts-page.js';

interface PartProps {
  readonly record: PaymentRecord;
}

export function Refunds({ record }: PartProps): JSX.Element {
  const link = useLink();
  const { mayAct } = usePage();
  const { payment, refunds } = record;
  const odd = oddRefunds(record).map(({ id }) => id);
  const accept = (id: string) =>
    link(
      `payments/${payment.id}/accept-refund?${new URLSearchParams({ store: payment.store, problem: id }).toString()}`,
    );
  return (
    <PlainTable title="Refunds" columns={['Of', 'State', 'Sum']} none="None.">
      {refunds.map(({ id, refundKey, status, amount, createdAt, cancellation }) => (
        <tr id={`refund-${id}`}>
          <th scope="row">
            {refundKey ?? 'made outside'}{' '}
            <small>
              <When at={createdAt} />
            </small>
          </th>
          <td>
            <Words told={refundWords[status]} />{' '}
            {cancellation !== null && (
              <small>
                {cancellation.reason}: {refundCancellationText(cancellation.reason) ?? cancellation.party}
              </small>
            )}
            {mayAct && odd.includes(id) && (
              <p class="acts">
                <a class="btn" href={accept(id)}>
                  Accept…
                </a>
              </p>
            )}
          </td>
          <td class="num">
            <Money amount={amount} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

/** Nothing if there is none. */
export function Incidents({ record: { incidents } }: PartProps): JSX.Element | null {
  if (incidents.length === 0) return null;
  return (
    <PlainTable title="Incidents" columns={['What', 'Why']} none="None.">
      {incidents.map((incident) => (
        <tr id={`incident-${incident.id}`}>
          <th scope="row">
            <Words told={incidentWords[incident.name]} />{' '}
            <small>
              <When at={incident.since} />
            </small>
          </th>
          <td>
            <IncidentHelp incident={incident} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

export function Receipts({ record: { receipts, receiptProblems } }: PartProps): JSX.Element {
  return (
    <>
      {receiptProblems.length > 0 && (
        <PlainTable title="Receipts that need a person" columns={['State', 'What helps']} none="None.">
          {receiptProblems.map((problem) => (
            <tr id={`receipt-${problem.id}`}>
              <th scope="row">
                <Words told={receiptProblemWords[problem.kind]} /> <small>{problem.receiptKey}</small>
              </th>
              <td>
                <ReceiptHelp problem={problem} />
              </td>
            </tr>
          ))}
        </PlainTable>
      )}
      <PlainTable title="Receipts sent by themselves" columns={['Of', 'State', 'Sum']} none="None.">
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
      </PlainTable>
    </>
  );
}

export function Deliveries({ record: { deliveries } }: PartProps): JSX.Element {
  const { mayAct } = usePage();
  return (
    <PlainTable
      title="Deliveries"
      columns={['Handler', 'State', 'Tries']}
      none="No handler has to do with this payment."
    >
      {deliveries.map(({ eventId, handlerId, eventName, state, attempts, lastError, nextAttemptAt }) => (
        <tr id={`delivery-${eventId}-${handlerId}`}>
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
              <Act path="deliveries/retry" fields={{ eventId, handlerId }}>
                Run again<span class="vh">: {handlerId}</span>
              </Act>
            )}
          </td>
          <td class="num">{attempts}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

export function Requests({ record: { operations } }: PartProps): JSX.Element {
  return (
    <PlainTable title="Requests" columns={['Request', 'Outcome', 'Tries']} none="None.">
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
    </PlainTable>
  );
}

export function Notifications({ record: { notifications } }: PartProps): JSX.Element {
  return (
    <PlainTable title="Notifications" columns={['Event', 'Last', 'Came']} none="None has come.">
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
    </PlainTable>
  );
}
