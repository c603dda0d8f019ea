/** What a person types: `100`, `100,5`, `1 234,50 ₽`. */
const TYPED = /^(\d{1,3}(?:\s\d{3})+|\d+)(?:[.,](\d{1,2}))?\s?₽?$/;

/** The same as the API writes it, `"1234.50"`; any other text stays as it is, for the API to refuse. */
export function typedRoubles(text: string): string {
  const [, whole, fraction = ''] = TYPED.exec(text.trim()) ?? [];
  return whole === undefined ? text : `${whole.replaceAll(/\s/g, '')}.${fraction.padEnd(2, '0')}`;
}
