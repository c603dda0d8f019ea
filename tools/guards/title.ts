/** A regular expression of the titles that a part of one, as it is written, stands for: `%s` is whatever `it.each` puts there. */
export function titlePattern(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replace(/%[a-z]/g, '.+');
}
