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
} as const satisfies Record<string, Style>;

export type Actor = keyof typeof actorStyles;

const actorWidth = Math.max(...Object.keys(actorStyles).map(({ length }) => length));

/** One line of the timeline; `at` is business time, which the demo moves. */
export function printStep(at: Date, actor: Actor, text: string): void {
  const time = styled('gray', at.toISOString().slice(11, 23));
  console.log(`  ${time}  ${styled(actorStyles[actor], actor.padEnd(actorWidth))}  ${text}`);
}
