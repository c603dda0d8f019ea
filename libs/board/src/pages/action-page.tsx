import type { Amount, PaidItem } from '@holdfast/payments';
import type { JSX } from 'preact';
import { seenOf, type PaymentAction } from '../payment-actions.js';
import { mostOf, type FormAbout, type PaymentForm, type RefundBy } from '../payment-form.js';
import { Document } from '../view/document.js';
import { useLink, usePage } from '../view/page-context.js';
import { Money } from '../view/parts.js';
import { Shape } from '../view/shape.js';
import { telling } from './action-telling.js';

interface ActionPageProps {
  readonly action: PaymentAction;
  readonly about: FormAbout;
  readonly form: PaymentForm;
  /** What is wrong with what was entered; null: nothing. */
  readonly fault: string | null;
}

/** Says what will happen, and asks once more. */
export function ActionPage({ action, about, form, fault }: ActionPageProps): JSX.Element {
  const link = useLink();
  const { now, timeZone } = usePage();
  const { payment } = about.record;
  const address = (path: string, fields: Readonly<Record<string, string>> = {}) =>
    link(
      `payments/${payment.id}${path}?${new URLSearchParams({ store: payment.store, ...fields }).toString()}`,
    );
  const back = address('');
  const most = mostOf(action, about.record);
  const told = { ...about, form, most, now, timeZone };
  const { question: ask, effects, button } = telling[action];
  const question = ask(told);
  return (
    <Document title={`${question} – Order ${payment.orderReference}`}>
      <p class="crumb">
        <a href={back}>← Order {payment.orderReference}</a>
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
          <Hidden
            fields={{
              key: form.key,
              seen: seenOf(about.record),
              store: payment.store,
              ...(form.problem !== '' && { ...(form.problem !== '' && { problem: form.problem }) }),
            }}
          />
          <div class="head">
            <h2>Nothing has been sent yet</h2>
            {action === 'refund' && about.goods?.receipt && <RefundWays by={form.by} address={address} />}
          </div>
          <div class="body">
            <ol class="effects">
              {effects(told).map((effect) => (
                <li>
                  <span>{effect}</span>
                </li>
              ))}
              <li>
                <span>Your name, the time and your reason are kept in the timeline.</span>
              </li>
            </ol>
            <ActionFields action={action} about={about} form={form} most={most} isWrong={fault !== null} />
            <div class="bottom">
              <a class="btn" href={back}>
                Go back
              </a>
              <button class="btn main" type="submit">
                {button}
              </button>
            </div>
            {action !== 'note' && <p class="hint">Done once, even if you press twice.</p>}
          </div>
        </form>
      </div>
    </Document>
  );
}

function Hidden({ fields }: { readonly fields: Readonly<Record<string, string>> }): JSX.Element {
  return (
    <>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** A sum, or pieces: each is a form of its own. */
function RefundWays({
  by,
  address,
}: {
  readonly by: RefundBy;
  readonly address: (path: string, fields: Readonly<Record<string, string>>) => string;
}): JSX.Element {
  const ways = { sum: 'a sum', pieces: 'pieces' } as const;
  return (
    <nav class="switch" aria-label="What is refunded">
      {(['sum', 'pieces'] as const).map((way) => (
        <a href={address('/refund', { by: way })} {...(way === by && { 'aria-current': 'true' as const })}>
          {ways[way]}
        </a>
      ))}
    </nav>
  );
}

interface ActionFieldsProps {
  readonly action: PaymentAction;
  readonly about: FormAbout;
  readonly form: PaymentForm;
  readonly most: Amount | null;
  readonly isWrong: boolean;
}

function ActionFields({ action, about: { goods }, form, most, isWrong }: ActionFieldsProps): JSX.Element {
  const isByPieces = action === 'refund' && form.by === 'pieces';
  return (
    <>
      {isByPieces && <Pieces items={goods?.items ?? []} pieces={form.pieces} />}
      {most !== null && !isByPieces && (
        <div class="field">
          <label for="amount">Amount</label>
          <input
            id="amount"
            name="amount"
            inputMode="decimal"
            value={form.amount}
            required
            {...(isWrong && { 'aria-invalid': 'true' as const })}
          />
        </div>
      )}
      {action === 'refund' && goods?.receipt === null && (
        <p class="hint">
          Whom its receipt went to is not kept any more: a part is refunded where your shop knows its buyer.
        </p>
      )}
      {action === 'send-receipt' && (
        <div class="field">
          <label for="email">Another email, if the first one is wrong</label>
          <input id="email" name="email" type="email" value={form.email} maxLength={254} autocomplete="off" />
        </div>
      )}
      <div class="field">
        <label for="why">
          {action === 'note' ? 'What you have done or found' : 'Reason, for your colleagues'}
        </label>
        <textarea id="why" name="why" rows={3} maxLength={900} required>
          {form.why}
        </textarea>
        <p class="hint">Up to 900 characters. The buyer does not see it.</p>
      </div>
    </>
  );
}

function Pieces({
  items,
  pieces,
}: {
  readonly items: readonly PaidItem[];
  readonly pieces: readonly string[];
}): JSX.Element {
  return (
    <fieldset class="pieces">
      <legend>How many of each are given back</legend>
      <input type="hidden" name="by" value="pieces" />
      {items
        .filter(({ quantityLeft }) => quantityLeft > 0)
        .map(({ line, description, price, quantityLeft, left }) => (
          <div class="field">
            <label for={`pieces${line}`}>{description}</label>
            <input
              id={`pieces${line}`}
              name={`pieces${line}`}
              inputMode="decimal"
              value={pieces[line] ?? ''}
              placeholder="0"
              autocomplete="off"
            />
            <p class="hint">
              {quantityLeft} left at <Money amount={price} />, worth <Money amount={left} /> by now
            </p>
          </div>
        ))}
    </fieldset>
  );
}
