import type { Span } from './search-window.js';

/**
 * The filter of a list that wants what was created in a time of the service's clock; null: at any time. `isOpenEnded`: up to the
 * newest.
 */
export function createdIn(
  theirs: Span | null,
  isOpenEnded = false,
): { readonly 'created_at.gte'?: string; readonly 'created_at.lte'?: string } {
  if (theirs === null) return {};
  return {
    'created_at.gte': theirs.from.toISOString(),
    ...(!isOpenEnded && { 'created_at.lte': theirs.to.toISOString() }),
  };
}
