import { toChildArray, type ComponentChildren, type JSX } from 'preact';

interface PlainTableProps {
  readonly title: string;
  readonly columns: readonly string[];
  /** In place of a table without a row. */
  readonly none: string;
  /** Its rows. */
  readonly children: ComponentChildren;
}

/** A small table below its heading, whose columns need no words. */
export function PlainTable({ title, columns, none, children }: PlainTableProps): JSX.Element {
  return (
    <section aria-label={title}>
      <div class="head">
        <h2>{title}</h2>
      </div>
      {toChildArray(children).length === 0 ? (
        <p class="empty">{none}</p>
      ) : (
        <table class="plain">
          <caption class="vh">{title} of this payment</caption>
          <thead>
            <tr>
              {columns.map((name) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      )}
    </section>
  );
}
