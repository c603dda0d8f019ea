import type { PaymentSearchInput, PaymentStatus, StoreScope } from '@holdfast/payments';
import type { PaymentQuery } from './pages/payments-page.js';
import { dayAfter, dayStart } from './view/time-text.js';
import type { TimelineKind } from './view/timeline-line.js';
import { paymentWords } from './view/words.js';

/** The fields of an address or a form: whatever a browser or a stranger sends. */
export type Fields = Readonly<Record<string, unknown>>;

/** The text of a field; empty if it is missing or no text. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value.trim() : '';
}

/** One that there is not shows all. */
export function paymentQueryOf(fields: Fields): PaymentQuery {
  const status = textOf(fields, 'status');
  const q = textOf(fields, 'q').slice(0, 256);
  return {
    q,
    status: q === '' && isStatus(status) ? status : null,
    from: dayOf(textOf(fields, 'from')),
    to: dayOf(textOf(fields, 'to')),
    store: textOf(fields, 'store'),
  };
}

/** From the first moment of the day `from` to the last of the day `to`, as the calendar of the time zone has them. */
export function searchOf(
  { q, status, from, to, store }: PaymentQuery,
  cursor: string,
  timeZone: string,
): PaymentSearchInput {
  return {
    ...(q !== '' && { text: q }),
    ...(status !== null && { status }),
    ...(from !== '' && { from: dayStart(from, timeZone) }),
    ...(to !== '' && { to: dayStart(dayAfter(to), timeZone) }),
    ...(store !== '' && { store }),
    ...(cursor !== '' && { cursor }),
  };
}

export function timelineKindOf(fields: Fields): TimelineKind | 'all' {
  const kinds: readonly TimelineKind[] = ['money', 'people', 'technical'];
  return kinds.find((kind) => kind === textOf(fields, 't')) ?? 'all';
}

/** `2030-01-31`; empty for what is no day. */
export function dayOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) ? text : '';
}

/** What leads to a payment of this store; empty for the shop's own where it was not named. */
export function storeQuery(store: string): string {
  return store === '' ? '' : `?${new URLSearchParams({ store }).toString()}`;
}

/** The store that is named; nothing: the shop's own. */
export function scopeOf(fields: Fields): StoreScope {
  const store = textOf(fields, 'store');
  return store === '' ? {} : { store };
}

function isStatus(text: string): text is PaymentStatus {
  return Object.hasOwn(paymentWords, text);
}
