/** Markup that is safe to put into a page unchanged. Only `html` makes it. */
export class Html {
  constructor(private readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[];

/** A template whose values are escaped, unless they are `Html` themselves. Lists are joined; false and null show nothing. */
export function html(texts: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(texts.reduce((before, text, index) => before + render(values[index - 1]) + text));
}

function render(value: Content): string {
  if (value === false || value === null || value === undefined) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return escape(String(value));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
