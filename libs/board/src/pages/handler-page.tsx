import type { FailedDelivery, HandlerState } from '@holdfast/payments';
import type { JSX } from 'preact';
import { countText } from '../view/amount-text.js';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Act, Panel, Words } from '../view/parts.js';
import { Shape } from '../view/shape.js';
import { When } from '../view/when.js';
import { DeliveryTable } from './deliveries-page.js';
import { handlerWords } from './handlers-page.js';
import { Fact } from './payment-facts.js';

interface HandlerPageProps {
  readonly handler: HandlerState;
  readonly parked: readonly FailedDelivery[];
  readonly failing: readonly FailedDelivery[];
  /** What is wrong with what was entered; null: nothing. */
  readonly fault: string | null;
}

/** All of one handler. */
export function HandlerPage({ handler, parked, failing, fault }: HandlerPageProps): JSX.Element {
  const link = useLink();
  const { mayAct } = usePage();
  const { id } = handler;
  return (
    <Document title={`Handler ${id}`}>
      <p class="crumb">
        <a href={link('handlers')}>← Handlers</a>
      </p>
      <div class="hero">
        <div>
          <h1>
            Handler <b>{id}</b>
          </h1>
          <p class="row">
            <Words told={handlerWords(handler)} pill />
          </p>
        </div>
        {mayAct && parked.length > 0 && (
          <div class="bottom">
            <Act path="deliveries/retry" fields={{ all: 'yes', handlerId: id }}>
              Run all of it again
            </Act>
          </div>
        )}
      </div>
      {fault !== null && (
        <div class="note is-bad" role="alert">
          <Shape name="stop" />
          <p>{fault}</p>
        </div>
      )}
      <Facts handler={handler} />
      {parked.length > 0 && (
        <section class="panel" aria-label="Given up">
          <DeliveryTable caption="Given up, the longest first, at most 100" deliveries={parked} />
        </section>
      )}
      {failing.length > 0 && (
        <section class="panel" aria-label="Failing">
          <DeliveryTable caption="Failing, the next to run first, at most 100" deliveries={failing} />
        </section>
      )}
      {mayAct && !handler.isHere && handler.retiredAt === null && <Retire id={id} />}
    </Document>
  );
}

function Facts({
  handler: { event, registeredAt, retiredAt, retiredBy, waiting, failing, parked },
}: Pick<HandlerPageProps, 'handler'>): JSX.Element {
  const counts = { Waiting: waiting, Failing: failing, 'Given up': parked };
  return (
    <Panel title="Deliveries" aside={event ?? 'an effect'}>
      <div class="body">
        <dl class="facts">
          {Object.entries(counts).map(([name, { count, more }]) => (
            <Fact name={name}>{`${countText(count)}${more ? '+' : ''}`}</Fact>
          ))}
          <Fact name="Registered">
            <When at={registeredAt} />
          </Fact>
          {retiredAt !== null && (
            <Fact name="Retired">
              <When at={retiredAt} />
              {retiredBy !== null && ` by ${retiredBy}`}
            </Fact>
          )}
        </dl>
      </div>
    </Panel>
  );
}

/** What waits for a handler that no process has, waits for ever. */
function Retire({ id }: { readonly id: string }): JSX.Element {
  const link = useLink();
  return (
    <Panel title="No process has it any more?">
      <form class="body" method="post" action={link('handlers/retire')} aria-label="Retire the handler">
        <input type="hidden" name="handlerId" value={id} />
        <p>
          Retired, it gets no more deliveries, and those that wait for it are given up for good. Another
          process that has it registers it again at its next start.
        </p>
        <div class="field">
          <label for="typed">Its id, to be sure</label>
          <input id="typed" name="typed" required autocomplete="off" spellcheck={false} />
        </div>
        <button class="btn" type="submit">
          Retire it
        </button>
      </form>
    </Panel>
  );
}
