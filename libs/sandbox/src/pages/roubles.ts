/** `"1234.50"` as `1 234,50 ₽`, with no-break spaces. */
export function roubles(value: string): string {
  const [whole = '', fraction = ''] = value.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '\u00a0')},${fraction}\u00a0₽`;
}
