import type { Amount, PaymentNeed } from '@holdfast/payments';
import type { ComponentChildren, JSX } from 'preact';
import { storeQuery } from '../board-query.js';
import { amountText } from './amount-text.js';
import { useLink } from './page-context.js';
import { Status } from './shape.js';
import { needWords, type Told } from './words.js';

export function Money({ amount }: { readonly amount: Amount }): JSX.Element {
  return <span class="money">{amountText(amount)}</span>;
}

export function Words({ told, pill = false }: { readonly told: Told; readonly pill?: boolean }): JSX.Element {
  return (
    <Status shape={told.shape} tone={told.tone} pill={pill}>
      {told.word}
    </Status>
  );
}

/** What a payment needs, after its status. */
export function Needs({
  needs,
  pill = false,
}: {
  readonly needs: readonly PaymentNeed[];
  readonly pill?: boolean;
}): JSX.Element {
  return (
    <>
      {needs.map((need) => (
        <>
          {' '}
          <Words told={needWords[need]} pill={pill} />
        </>
      ))}
    </>
  );
}

interface PanelProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, aside, children }: PanelProps): JSX.Element {
  return (
    <section class="panel" aria-label={title}>
      <div class="head">
        <h2>{title}</h2>
        {aside !== undefined && <p class="mute">{aside}</p>}
      </div>
      {children}
    </section>
  );
}

/** Why a list is empty, and what to do next. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class="panel empty blank">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

export interface Tab {
  readonly path: string;
  readonly name: string;
  readonly count?: string;
  readonly isCurrent: boolean;
}

export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
}): JSX.Element {
  const link = useLink();
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, name, count, isCurrent }) => (
        <a href={link(path)} {...(isCurrent && { 'aria-current': 'page' as const })}>
          {name} {count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}

interface PaymentLinkProps {
  readonly paymentId: string;
  readonly store: string;
  /** What a person knows the payment as. */
  readonly children: ComponentChildren;
}

/** Leads to a payment, of whatever store it is. */
export function PaymentLink({ paymentId, store, children }: PaymentLinkProps): JSX.Element {
  const link = useLink();
  return <a href={link(`payments/${paymentId}${storeQuery(store)}`)}>{children}</a>;
}

interface TableProps {
  readonly caption: ComponentChildren;
  readonly columns: readonly string[];
  /** The last column has amounts or numbers. Default: it does. */
  readonly isNumbered?: boolean;
  readonly children: ComponentChildren;
}

/** Where there is no room for its columns, each row is a card. */
export function Table({ caption, columns, isNumbered = true, children }: TableProps): JSX.Element {
  return (
    <table class="cards list">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((name, index) => (
            <th scope="col" {...(isNumbered && index === columns.length - 1 && { class: 'num' })}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** A button that changes something. */
export function Act({
  path,
  children,
  fields = {},
}: {
  readonly path: string;
  readonly children: ComponentChildren;
  readonly fields?: Readonly<Record<string, string>>;
}): JSX.Element {
  const link = useLink();
  return (
    <form method="post" action={link(path)}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class="btn" type="submit">
        {children}
      </button>
    </form>
  );
}
