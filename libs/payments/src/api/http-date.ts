const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The `Date` of an answer; null where it is none in the one form that servers write (RFC 9110, 5.6.7). */
export function parseHttpDate(header: unknown): Date | null {
  if (typeof header !== 'string' || !HTTP_DATE.test(header)) return null;
  const date = new Date(header);
  return Number.isNaN(date.getTime()) ? null : date;
}
