import { DAY_MS, HOUR_MS } from '../../common/durations.js';
import type { Amount } from '../../common/money.js';

/** No line is broken there. */
const SPACE = '\u00A0';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** `1234.50` → `1 234,50 ₽`. The digits never pass through a float. */
export function amountText({ value, currency }: Amount<string>): string {
  const [whole = '0', fraction = '00'] = value.split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, SPACE);
  return `${grouped},${fraction}${SPACE}${currency === 'RUB' ? '₽' : currency}`;
}

/** `41 s`, `5 min`, `3 h`, `6 d`: to the unit that matters. */
export function durationText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)}${SPACE}s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}${SPACE}min`;
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)}${SPACE}h`;
  return `${Math.floor(ms / DAY_MS)}${SPACE}d`;
}

/** `2030-01-31 09:05:00`, by the clock of the process (the variable `TZ`); empty: there is none. */
export function momentText(at: Date | null): string {
  return at === null ? '' : moment.format(at);
}

const moment = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });

/** The place whose times are shown. */
export const timeZone = moment.resolvedOptions().timeZone;

/** A text as it is pasted into a shell: one word there, whatever buyers and applications have put into it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Likewise, without the quotes where none are needed. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./][\w@%+=:,./-]*$/.test(text) ? text : shellQuoted(text);
}

/** `3`, or `more than 1000`. */
export function countText({ count, more }: { readonly count: number; readonly more: boolean }): string {
  return more ? `more than ${count}` : String(count);
}
