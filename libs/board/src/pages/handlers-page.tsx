import type { Counted, HandlerState } from '@holdfast/payments';
import type { JSX } from 'preact';
import { countText } from '../view/amount-text.js';
import { Document } from '../view/document.js';
import { useLink } from '../view/page-context.js';
import { Empty, Table, Words } from '../view/parts.js';
import { When } from '../view/when.js';
import type { Told } from '../view/words.js';

const here: Told = { word: 'in this process', shape: 'tick', tone: 'good' };
const elsewhere: Told = { word: 'not in this process', shape: 'open', tone: 'calm' };
const retired: Told = { word: 'retired', shape: 'slash', tone: 'calm' };

export function handlerWords({ retiredAt, isHere }: HandlerState): Told {
  if (retiredAt !== null) return retired;
  return isHere ? here : elsewhere;
}

export function HandlersPage({ handlers }: { readonly handlers: readonly HandlerState[] }): JSX.Element {
  return (
    <Document title="Handlers">
      <h1>Handlers</h1>
      {handlers.length === 0 ? (
        <Empty title="No handler is registered">
          Mark a method with @OnPaymentEvent, in a class that is a provider.
        </Empty>
      ) : (
        <section class="panel" aria-label="Handlers">
          <Table
            caption={<span class="mute">Every one that a process has registered</span>}
            columns={['Registered', 'State', 'Handler', 'Event', 'Waiting', 'Failing', 'Given up']}
          >
            {handlers.map((handler) => (
              <Row handler={handler} />
            ))}
          </Table>
        </section>
      )}
    </Document>
  );
}

function Row({ handler }: { readonly handler: HandlerState }): JSX.Element {
  const link = useLink();
  const { id, event, registeredAt, waiting, failing, parked } = handler;
  return (
    <tr id={`handler-${id}`}>
      <td class="when">
        <When at={registeredAt} />
      </td>
      <td class="state">
        <Words told={handlerWords(handler)} />
      </td>
      <th scope="row">
        <a href={link(`handler?${new URLSearchParams({ id }).toString()}`)}>{id}</a>
      </th>
      <td data-label="Event:">{event ?? 'an effect'}</td>
      <Count label="Waiting:" counted={waiting} />
      <Count label="Failing:" counted={failing} />
      <Count label="Given up:" counted={parked} />
    </tr>
  );
}

function Count({
  label,
  counted: { count, more },
}: {
  readonly label: string;
  readonly counted: Counted;
}): JSX.Element {
  return (
    <td class={count === 0 ? 'num mute' : 'num'} data-label={label}>
      {`${countText(count)}${more ? '+' : ''}`}
    </td>
  );
}
