import type { Incident } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { Empty, PaymentLink, Table, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import type { Told } from '../view/words.js';

const nameWords: Readonly<Record<Incident['name'], Told>> = {
  'payment.anomaly': { word: 'does not fit', shape: 'stop', tone: 'bad' },
  'order.overpaid': { word: 'overpaid', shape: 'stop', tone: 'bad' },
  'hold.expired': { word: 'hold ran out', shape: 'stop', tone: 'bad' },
};

export function IncidentsPage({ incidents }: { readonly incidents: readonly Incident[] }): JSX.Element {
  return (
    <Document title="Incidents">
      <h1>Incidents</h1>
      {incidents.length === 0 ? (
        <Empty title="No incident is open">
          No anomaly, overpaid order or hold that ran out waits for a person.
        </Empty>
      ) : (
        <section class="panel" aria-label="Incidents that are open">
          <Table
            caption={<span class="mute">The oldest first, at most 100</span>}
            columns={['What', 'Order', 'Why']}
            isNumbered={false}
          >
            {incidents.map((incident) => (
              <Row incident={incident} />
            ))}
          </Table>
        </section>
      )}
    </Document>
  );
}

function Row({ incident }: { readonly incident: Incident }): JSX.Element {
  const { name, since, paymentId, store, orderReference, reason } = incident;
  return (
    <tr>
      <td class="state">
        <Words told={nameWords[name]} />
        <small>
          <When at={since} />
        </small>
      </td>
      <th scope="row">
        <PaymentLink paymentId={paymentId} store={store}>
          {orderReference}
        </PaymentLink>
      </th>
      <td>{reason ?? 'The service ended the hold before anything was captured.'}</td>
    </tr>
  );
}
