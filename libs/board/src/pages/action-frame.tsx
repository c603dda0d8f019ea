import type { Payment } from '@holdfast/payments';
import type { ComponentChildren, JSX } from 'preact';
import { Document } from '../view/document.js';
import { useLink } from '../view/page-context.js';
import { Shape } from '../view/shape.js';

export const ONCE = 'Done once, even if you press twice.';

interface ActionFrameProps {
  readonly payment: Payment;
  readonly question: string;
  /** What is wrong with what was entered; null: nothing. */
  readonly fault: string | null;
  /** What the form sends besides what a person types. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Another way to ask. */
  readonly aside?: ComponentChildren;
  /** What will happen. */
  readonly effects: readonly string[];
  readonly button: string;
  readonly hint: string | null;
  /** What stands beside the form. */
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The page of a question: what is asked, what will happen, and the form that answers. */
export function ActionFrame({
  payment,
  question,
  fault,
  hidden,
  aside,
  effects,
  button,
  hint,
  beside,
  children,
}: ActionFrameProps): JSX.Element {
  const link = useLink();
  const { id, store, orderReference } = payment;
  const back = link(`payments/${id}?${new URLSearchParams({ store }).toString()}`);
  return (
    <Document title={`${question} – Order ${orderReference}`}>
      <p class="crumb">
        <a href={back}>← Order {orderReference}</a>
      </p>
      <h1>{question}</h1>
      {fault !== null && (
        <div class="note is-bad" role="alert">
          <Shape name="stop" />
          <p>{fault}</p>
        </div>
      )}
      <div class="step">
        <form class="panel" method="post" aria-label={question}>
          {Object.entries(hidden).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <div class="head">
            <h2>Nothing has been sent yet</h2>
            {aside}
          </div>
          <div class="body">
            <ol class="effects">
              {effects.map((effect) => (
                <li>
                  <span>{effect}</span>
                </li>
              ))}
              <li>
                <span>Your name, the time and your reason are kept in the timeline.</span>
              </li>
            </ol>
            {children}
            <div class="bottom">
              <a class="btn" href={back}>
                Go back
              </a>
              <button class="btn main" type="submit">
                {button}
              </button>
            </div>
            {hint !== null && <p class="hint">{hint}</p>}
          </div>
        </form>
        {beside}
      </div>
    </Document>
  );
}
