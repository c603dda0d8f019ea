/** Between two columns. */
const GAP = '  ';

/**
 * Rows under their headings, within so many characters; null: as wide as they are. Cells are broken between words; an id or another long word
 * never is, since people copy it. Where not even that fits, each row is a paragraph of its own.
 */
export function tableText(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | null,
): string {
  const lines = [headings, ...rows];
  const widest = (measure: (cell: string) => number) =>
    headings.map((_heading, column) => Math.max(...lines.map((cells) => measure(cells[column] ?? ''))));
  const widths = fitted(widest(lengthOf), widest(longestWord), width);
  if (widths === null) return rows.map((cells) => paragraph(headings, cells)).join('\n\n');
  return lines.map((cells) => line(cells, widths)).join('\n');
}

/** What people see of it, without what a terminal would obey: texts come from buyers and from the service. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
}

/** Takes a character at a time from the widest column that can be broken further; null: they do not fit. */
function fitted(natural: readonly number[], least: readonly number[], width: number | null): number[] | null {
  const widths = [...natural];
  const excess = () => sum(widths) + GAP.length * (widths.length - 1) - (width ?? Infinity);
  while (excess() > 0) {
    const breakable = widths.flatMap((own, column) => (own > (least[column] ?? 0) ? [own] : []));
    if (breakable.length === 0) return null;
    const most = Math.max(...breakable);
    const column = widths.findIndex((own, index) => own === most && own > (least[index] ?? 0));
    widths[column] = most - 1;
  }
  return widths;
}

function line(cells: readonly string[], widths: readonly number[]): string {
  const broken = widths.map((width, column) => wrapped(cells[column] ?? '', width));
  const height = Math.max(...broken.map(({ length }) => length));
  return Array.from({ length: height }, (_none, index) =>
    broken
      .map((parts, column) => padded(parts[index] ?? '', widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  ).join('\n');
}

function paragraph(headings: readonly string[], cells: readonly string[]): string {
  const width = Math.max(...headings.map(lengthOf));
  return headings
    .flatMap((heading, column) => {
      const cell = cells[column] ?? '';
      return cell === '' ? [] : [`${padded(heading, width)}${heading === '' ? '' : GAP}${cell}`.trim()];
    })
    .join('\n');
}

/** The text in lines of at most so many characters, as far as its words allow. */
export function wrapped(text: string, width: number): string[] {
  const parts: string[] = [];
  for (const word of text.split(' ')) {
    const last = parts.at(-1);
    if (last !== undefined && lengthOf(last) + 1 + lengthOf(word) <= width)
      parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const letters = new Intl.Segmenter();
const lengthOf = (text: string): number => Array.from(letters.segment(text)).length;
const longestWord = (text: string): number => Math.max(...text.split(' ').map(lengthOf));
const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - lengthOf(text)));
