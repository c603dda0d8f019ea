import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** Colours only on a terminal and without NO_COLOR: styleText checks the stream and the environment by itself. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

export function printHeading(text: string): void {
  console.log(`\n${styled('bold', text)}`);
}

export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const [first = '', ...others] = alignedTable(headings, rows);
  console.log([styled('gray', first), ...others].join('\n'));
}

/** Rows of text under their headings, each column as wide as its widest cell. */
export function alignedTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [headings, ...rows].map((cells) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

/** The same as Markdown. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
