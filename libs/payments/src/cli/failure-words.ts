/** What a recorded failure of a request says, without its braces. */
export function reasonOfFailure(lastError: Readonly<Record<string, unknown>> | null): string {
  if (lastError === null) return '';
  return Object.values(lastError)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(' ');
}
