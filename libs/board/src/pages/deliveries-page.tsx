import type { FailedDelivery } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Act, Empty, PaymentLink, Table, Tabs, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import { deliveryWords } from '../view/words.js';

/** Which deliveries the page lists. */
export type DeliveryTab = 'parked' | 'failing';

interface DeliveriesPageProps {
  readonly tab: DeliveryTab;
  readonly deliveries: readonly FailedDelivery[];
}

export function DeliveriesPage({ tab, deliveries }: DeliveriesPageProps): JSX.Element {
  const { mayAct } = usePage();
  return (
    <Document title="Deliveries">
      <div class="hero">
        <h1>Deliveries</h1>
        {mayAct && tab === 'parked' && deliveries.length > 0 && (
          <div class="bottom">
            <Act path="deliveries/retry" fields={{ all: 'yes' }}>
              Run all again
            </Act>
          </div>
        )}
      </div>
      <Tabs
        label="Deliveries"
        tabs={[
          { path: 'deliveries', name: 'Given up', isCurrent: tab === 'parked' },
          { path: 'deliveries?tab=failing', name: 'Failing', isCurrent: tab === 'failing' },
        ]}
      />
      {deliveries.length === 0 ? (
        <Empty title={tab === 'parked' ? 'No delivery is given up' : 'No delivery fails'}>
          Every handler has done its work, or will do it now.
        </Empty>
      ) : (
        <section class="panel" aria-label="Deliveries">
          <DeliveryTable
            caption={`${tab === 'parked' ? 'The longest given up first' : 'The next to run first'}, at most 100`}
            deliveries={deliveries}
          />
        </section>
      )}
    </Document>
  );
}

interface DeliveryTableProps {
  readonly caption: string;
  readonly deliveries: readonly FailedDelivery[];
}

export function DeliveryTable({ caption, deliveries }: DeliveryTableProps): JSX.Element {
  return (
    <Table
      caption={<span class="mute">{caption}</span>}
      columns={['State', 'Handler', 'Event', 'Error', 'Tries']}
    >
      {deliveries.map((delivery) => (
        <Row delivery={delivery} />
      ))}
    </Table>
  );
}

function Row({ delivery }: { readonly delivery: FailedDelivery }): JSX.Element {
  const link = useLink();
  const { mayAct } = usePage();
  const { eventId, handlerId, eventName, paymentId, store, attempts, lastError, parkedAt, nextAttemptAt } =
    delivery;
  const at = parkedAt ?? nextAttemptAt;
  return (
    <tr id={`delivery-${eventId}-${handlerId}`}>
      <td class="state">
        <Words told={deliveryWords[parkedAt === null ? 'failing' : 'parked']} />
        <small>{at === null ? 'running now' : <When at={at} />}</small>
      </td>
      <th scope="row">
        <a href={link(`handler?${new URLSearchParams({ id: handlerId }).toString()}`)}>{handlerId}</a>
        {mayAct && (
          <Act path="deliveries/retry" fields={{ eventId, handlerId }}>
            Run again
            <span class="vh">
              : {handlerId} for event {eventId}
            </span>
          </Act>
        )}
      </th>
      <td data-label="Event:">
        {paymentId === null ? (
          eventName
        ) : (
          <PaymentLink paymentId={paymentId} store={store}>
            {eventName}
          </PaymentLink>
        )}
      </td>
      <td class="err">{lastError ?? 'Its process ended during the run.'}</td>
      <td class="num" data-label="Tries:">
        {attempts}
      </td>
    </tr>
  );
}
