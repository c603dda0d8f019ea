/** The text fields of a form; a repeated field is an array and left out. */
export function formFields(body: unknown): Partial<Record<string, string>> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
