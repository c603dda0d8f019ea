import type { Incident } from '@holdfast/payments';
import type { JSX } from 'preact';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Empty, PaymentLink, Table, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import type { Told } from '../view/words.js';

/** What happened. */
export const incidentWords: Readonly<Record<Incident['name'], Told>> = {
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
  const { id, name, since, paymentId, store, orderReference } = incident;
  return (
    <tr id={`incident-${id}`}>
      <td class="state">
        <Words told={incidentWords[name]} />
        <small>
          <When at={since} />
        </small>
      </td>
      <th scope="row">
        <PaymentLink paymentId={paymentId} store={store}>
          {orderReference}
        </PaymentLink>
      </th>
      <td>
        <IncidentHelp incident={incident} />
      </td>
    </tr>
  );
}

/** Why, and the way to its end for whoever may act. */
export function IncidentHelp({ incident }: { readonly incident: Incident }): JSX.Element {
  const link = useLink();
  const { mayAct } = usePage();
  const { id, paymentId, store, reason } = incident;
  const query = new URLSearchParams({ store, problem: id }).toString();
  return (
    <>
      <p>{reason ?? 'The service ended the hold before anything was captured.'}</p>
      {mayAct && (
        <p class="acts">
          <a class="btn" href={link(`payments/${paymentId}/resolve-incident?${query}`)}>
            Resolved…
          </a>
        </p>
      )}
    </>
  );
}
