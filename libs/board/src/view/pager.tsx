import type { JSX } from 'preact';
import { useLink } from './page-context.js';

interface PagerProps {
  readonly page: { readonly items: readonly unknown[]; readonly nextCursor: string | null };
  readonly path: string;
  /** Of this page, without its cursor. */
  readonly query: Readonly<Record<string, string>>;
  readonly isFirst: boolean;
}

/** Leads to the next page, and from a later one back to the first. */
export function Pager({ page: { nextCursor, items }, path, query, isFirst }: PagerProps): JSX.Element {
  const link = useLink();
  const address = (fields: Readonly<Record<string, string>>) =>
    link(`${path}?${new URLSearchParams(fields).toString()}`);
  return (
    <nav class="pager" aria-label="Pages">
      <span>{items.length} shown</span>
      <span class="acts">
        {!isFirst && (
          <a class="btn" href={address(query)}>
            First page
          </a>
        )}
        {nextCursor !== null && (
          <a class="btn" rel="next" href={address({ ...query, cursor: nextCursor })}>
            Next page
          </a>
        )}
      </span>
    </nav>
  );
}
