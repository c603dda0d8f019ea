import { faultAtRest, faultBetween, faultOf, isQuiet } from './guarantees.js';
import { normalise, textOf } from './normal.js';
import type { State, Step, World } from './state.js';
import { stepsFrom } from './steps/steps.js';

/** What a search has found. */
export interface Found {
  readonly states: number;
  /** Steps of the longest of the shortest ways to a state. */
  readonly depth: number;
  /** null: every guarantee holds in all of them, and each can come to rest. */
  readonly counterexample: Counterexample | null;
}

export interface Counterexample {
  readonly fault: string;
  /** One sentence each. */
  readonly story: readonly string[];
}

/** How a state was reached. */
interface Reached {
  readonly from: number;
  /** The number of the step, among those of that state. */
  readonly by: number;
  readonly depth: number;
}

/** Searches every order of steps, breadth first: so the first fault found is one of the shortest. */
export function search(world: World, first: State): Found {
  const reached: Reached[] = [];
  /** By its text: the state that was reached with so many faults left. */
  const known = new Map<string, (number | undefined)[]>();
  /** Steps without a fault, from state to state: one after the other. */
  const ways: number[] = [];
  const quiet: number[] = [];
  let frontier: [index: number, state: State][] = [];
  const note = (state: State, how: Reached): [index: number, isNew: boolean] => {
    const text = textOf(state);
    const { faults } = state.left;
    const alike = known.get(text) ?? [];
    // With more of them left everything may happen that may happen with fewer, and nothing that ends well needs one.
    const index = alike.find((one, left) => one !== undefined && left >= faults);
    if (index !== undefined) return [index, false];
    if (alike.length === 0) known.set(text, alike);
    alike[faults] = reached.length;
    reached.push(how);
    return [reached.length - 1, true];
  };
  const end = (fault: string, index: number): Found => ({
    states: reached.length,
    depth: reached[index]?.depth ?? 0,
    counterexample: { fault, story: storyOf(world, first, reached, index) },
  });
  normalise(world, first);
  note(first, { from: -1, by: 0, depth: 0 });
  frontier.push([0, first]);
  if (isQuiet(first)) quiet.push(0);
  let depth = 0;
  while (frontier.length > 0) {
    const later: typeof frontier = [];
    for (const [from, state] of frontier) {
      let by = 0;
      for (const { next, isFault } of stepsFrom(world, state)) {
        normalise(world, next);
        const [index, isNew] = note(next, { from, by, depth: depth + 1 });
        by += 1;
        if (!isFault) ways.push(from, index);
        const fault = faultBetween(state, next) ?? (isNew ? faultOf(next) : null);
        // A final state that changes may be one that is reached in another way too.
        if (fault !== null) return end(fault, isNew ? index : again(reached, from, by - 1));
        if (!isNew) continue;
        if (isQuiet(next)) {
          const wrong = faultAtRest(world, next);
          if (wrong !== null) return end(wrong, index);
          quiet.push(index);
        }
        later.push([index, next]);
      }
    }
    if (later.length > 0) depth += 1;
    frontier = later;
  }
  const stuck = firstStuck(reached.length, ways, quiet);
  if (stuck !== null) return end('from here nothing comes to rest any more', stuck);
  return { states: reached.length, depth, counterexample: null };
}

/** A state that is known, reached by this step. */
function again(reached: Reached[], from: number, by: number): number {
  return reached.push({ from, by, depth: (reached[from]?.depth ?? 0) + 1 }) - 1;
}

/** The first state, in the order of the search, from which no way leads to rest. */
function firstStuck(states: number, ways: readonly number[], quiet: readonly number[]): number | null {
  const before: number[][] = Array.from({ length: states }, () => []);
  for (let way = 0; way < ways.length; way += 2) before[ways[way + 1] ?? 0]?.push(ways[way] ?? 0);
  const ends = new Uint8Array(states);
  const open = [...quiet];
  for (const state of quiet) ends[state] = 1;
  for (let state = open.pop(); state !== undefined; state = open.pop())
    for (const from of before[state] ?? []) {
      if (ends[from] === 1) continue;
      ends[from] = 1;
      open.push(from);
    }
  const stuck = ends.indexOf(0);
  return stuck === -1 ? null : stuck;
}

/** The steps to a state, told as they are taken again. */
function storyOf(world: World, first: State, reached: readonly Reached[], index: number): string[] {
  const choices: number[] = [];
  for (let at = reached[index]; at && at.from !== -1; at = reached[at.from]) choices.unshift(at.by);
  const story: string[] = [];
  let state = first;
  for (const by of choices) {
    const made: Step | undefined = [...stepsFrom(world, state)][by];
    if (!made) throw new Error('The same state has other steps now.');
    normalise(world, made.next);
    story.push(made.story);
    state = made.next;
  }
  return story;
}
