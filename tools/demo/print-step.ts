import { styled, type Style } from '../common/print.js';

/** The actors, and how each is marked on a terminal. */
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
  database: 'red',
  log: 'red',
} as const satisfies Record<string, Style>;

export type Actor = keyof typeof actorStyles;

const actorWidth = Math.max(...Object.keys(actorStyles).map(({ length }) => length));

/** Of a terminal on which nothing is wrapped where it should not be. */
const WIDTH = 120;

/** One line of the timeline, or as many as its text takes; `at` is business time, which the demo moves. */
export function printStep(at: Date, actor: Actor, text: string): void {
  const time = at.toISOString().slice(11, 23);
  const indent = `  ${time}  ${actor.padEnd(actorWidth)}  `.length;
  const [first = '', ...others] = wrapped(text, WIDTH - indent);
  console.log(`  ${styled('gray', time)}  ${styled(actorStyles[actor], actor.padEnd(actorWidth))}  ${first}`);
  for (const line of others) console.log(' '.repeat(indent) + line);
}

/** The text in lines of so many characters, broken between words. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
