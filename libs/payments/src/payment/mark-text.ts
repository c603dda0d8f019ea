/** Twelve digits in a row are no card number yet: thirteen are, and such a text is never kept as it is. */
const LONG_RUN = /\d{12}(?=\d)/g;

/** A host's text as it stands in a mark: whatever number it contains, the mark comes back whole. */
export function toMarkText(text: string): string {
  return text.replaceAll('~', '~~').replace(LONG_RUN, '$&~');
}

export function fromMarkText(text: string): string {
  return text.replace(/~~?/g, (found) => found.slice(1));
}
