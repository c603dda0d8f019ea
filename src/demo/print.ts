import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Who does what, and how it is told from the others on a terminal. */
const actorStyles = {
  buyer: 'cyan',
  staff: 'cyan',
  shop: 'green',
  payments: 'green',
  sweep: 'magenta',
  handler: 'blue',
  service: 'yellow',
  clock: 'gray',
  sandbox: 'red',
} as const satisfies Record<string, Style>;

export type Actor = keyof typeof actorStyles;

const actorWidth = Math.max(...Object.keys(actorStyles).map(({ length }) => length));

/** Colours only on a terminal and without NO_COLOR: styleText asks the stream and the environment by itself. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

export function printHeading(text: string): void {
  console.log(`\n${styled('bold', text)}`);
}

/** One line of the timeline; `at` is business time, which the demo moves. */
export function printStep(at: Date, actor: Actor, text: string): void {
  const time = styled('gray', at.toISOString().slice(11, 23));
  console.log(`  ${time}  ${styled(actorStyles[actor], actor.padEnd(actorWidth))}  ${text}`);
}

/** Rows of text under their headings, each column as wide as its widest cell. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  console.log(styled('gray', line(headings)));
  for (const row of rows) console.log(line(row));
}
