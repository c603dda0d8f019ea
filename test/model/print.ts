import { searchOf, type Part, type Size } from './scopes.js';
import type { Counterexample } from './search.js';

/** A counterexample as it is read: what happened, one sentence a line, and what was wrong then. */
export function told({ story, fault }: Counterexample): string {
  const lines = story.map((sentence, index) => `${`${index + 1}`.padStart(4)} ${capital(sentence)}`);
  return [...lines, `  => ${capital(fault)}.`].join('\n');
}

const capital = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** Searches a part of the protocol and prints how far; returns the story of what went wrong. */
export function printed(part: Part, size: Size): string | null {
  const began = performance.now();
  const { states, depth, counterexample } = searchOf(part, size);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(`${part}: ${states} states, ${depth} steps deep, ${seconds} s\n`);
  return counterexample && told(counterexample);
}
