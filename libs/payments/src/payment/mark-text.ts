/**
 * Whatever could be read as a card number is never kept as it is: thirteen digits and more, in groups or not. So no more than twelve
 * stand in a row in a mark, and no group is next to another one. The space and the dashes are those of `without-card-numbers.ts`.
 */
const GROUPED = /\d{12}(?=\d)|\d(?=[\s\-‐-―]\d)/g;

/** A mark as it is written into metadata: whatever number stands in the host's own texts, or comes about by chance, it comes back whole. */
export function toMarkText(text: string): string {
  return text.replaceAll('~', '~~').replace(GROUPED, '$&~');
}

export function fromMarkText(text: string): string {
  return text.replace(/~~?/g, (found) => found.slice(1));
}
