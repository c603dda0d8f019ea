/** What a form sent as this field, trimmed; empty where there is none. It can be repeated and comes as a list then: only text counts. */
export function formText(body: unknown, name: string): string {
  const fields: object = typeof body === 'object' && body !== null ? body : {};
  const value: unknown = new Map(Object.entries(fields)).get(name);
  return typeof value === 'string' ? value.trim() : '';
}
