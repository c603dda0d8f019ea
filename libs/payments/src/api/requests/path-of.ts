/** The path of a field within this one. */
export function pathOf(parent: string, name: string): string {
  if (parent !== '' && /^\d{1,3}$/.test(name)) return `${parent}[${name}]`;
  // An unknown name may be anything, even a card number.
  const shown = /^[a-z_][\w.]{0,39}$/i.test(name) ? name : '?';
  return parent === '' ? shown : `${parent}.${shown}`;
}
