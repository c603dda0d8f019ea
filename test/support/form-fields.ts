/** The value of a hidden field of a page. */
export function hidden(page: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1];
  if (value === undefined) throw new Error(`The page has no field ${name}.`);
  return value;
}

/** What a page's form has besides what a person types. */
export function unchanged(page: string): Record<string, string> {
  const names = [...page.matchAll(/type="hidden" name="(\w+)"/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, hidden(page, name)]));
}
