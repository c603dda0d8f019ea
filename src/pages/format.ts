const noBreakSpace = '\u00a0';

/** Kopecks as the buyer reads them: 123450 is `1 234,50 ₽`, with no-break spaces. */
export function roubles(amountMinor: number): string {
  const kopecks = String(amountMinor % 100).padStart(2, '0');
  const whole = String(Math.trunc(amountMinor / 100)).replace(/\B(?=(\d{3})+$)/g, noBreakSpace);
  return `${whole},${kopecks}${noBreakSpace}₽`;
}

const dateTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

export function moment(date: Date): string {
  return `${dateTime.format(date)} UTC`;
}
