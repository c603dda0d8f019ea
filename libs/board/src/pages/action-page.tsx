import type { Amount, PaidItem, Payment } from '@holdfast/payments';
import type { JSX } from 'preact';
import { seenOf, type PaymentAction } from '../payment-actions.js';
import { mostOf, type FormAbout, type PaymentForm, type RefundBy } from '../payment-form.js';
import { MoneyOnceDone } from '../view/money-once-done.js';
import { useLink, usePage } from '../view/page-context.js';
import { Money } from '../view/parts.js';
import { ActionFrame, ONCE } from './action-frame.js';
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
  const { now, timeZone } = usePage();
  const { payment } = about.record;
  const most = mostOf(action, about.record);
  const told = { ...about, form, most, now, timeZone };
  const { question, effects, button } = telling[action];
  // The next page says the sum.
  const isFirstStep = most !== null;
  return (
    <ActionFrame
      payment={payment}
      question={question(told)}
      fault={fault}
      hidden={{
        key: form.key,
        seen: seenOf(about.record),
        store: payment.store,
        ...(form.problem !== '' && { problem: form.problem }),
      }}
      aside={action === 'refund' && about.goods?.receipt && <RefundWays by={form.by} payment={payment} />}
      effects={effects(told)}
      button={button}
      hint={action === 'note' || isFirstStep ? null : ONCE}
      beside={action === 'cancel' && <MoneyOnceDone record={about.record} action={action} sumMinor={0} />}
    >
      <ActionFields action={action} about={about} form={form} most={most} isWrong={fault !== null} />
    </ActionFrame>
  );
}

/** A sum, or pieces: each is a form of its own. */
function RefundWays({
  by,
  payment: { id, store },
}: {
  readonly by: RefundBy;
  readonly payment: Payment;
}): JSX.Element {
  const link = useLink();
  const ways = { sum: 'a sum', pieces: 'pieces' } as const;
  const address = (way: RefundBy) =>
    link(`payments/${id}/refund?${new URLSearchParams({ store, by: way }).toString()}`);
  return (
    <nav class="switch" aria-label="What is refunded">
      {(['sum', 'pieces'] as const).map((way) => (
        <a href={address(way)} {...(way === by && { 'aria-current': 'true' as const })}>
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
