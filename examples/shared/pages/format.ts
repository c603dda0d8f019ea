const noBreakSpace = '\u00a0';

/** Kopecks as the buyer reads them: 123450 is `1 234,50 ₽`, with no-break spaces. */
export function roubles(amountMinor: number): string {
  const kopecks = String(amountMinor % 100).padStart(2, '0');
  const whole = String(Math.trunc(amountMinor / 100)).replace(/\B(?=(\d{3})+$)/g, noBreakSpace);
  return `${whole},${kopecks}${noBreakSpace}₽`;
}

/** `100`, `100,50`, `100.5`, or what `roubles` writes: thousands apart by spaces, with or without the sign. */
const typedRoubles = /^(\d{1,9}|\d{1,3}(?:\s\d{3}){1,3})(?:[.,](\d{1,2}))?\s?₽?$/;

/** Kopecks of an amount in roubles as a person types it; `null` if it is not an amount. */
export function parseRoubles(typed: string): number | null {
  const [, whole, fraction = ''] = typedRoubles.exec(typed.trim()) ?? [];
  return whole === undefined ? null : Number(whole.replaceAll(/\s/g, '') + fraction.padEnd(2, '0'));
}

const dateTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

export function moment(date: Date): string {
  return `${dateTime.format(date)} UTC`;
}

/** `a…@example.com`: the buyer knows it again, and nobody who sees the page learns it. */
export function maskedEmail(email: string): string {
  return `${email.slice(0, 1)}…${email.slice(email.lastIndexOf('@'))}`;
}
