/** Markup that is safe to send; only `html` makes it. */
export class Html {
  constructor(readonly markup: string) {}
}

type Value = string | Html | readonly Html[] | null;

/** Markup from a template. Every string put into it is escaped; null leaves nothing behind. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(
    parts.reduce((text, part, index) => `${text}${markupOf(values[index - 1] ?? null)}${part}`),
  );
}

function markupOf(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return escape(value);
  return value instanceof Html ? value.markup : value.map(({ markup }) => markup).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
