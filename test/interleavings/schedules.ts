import { Dice } from '../../tools/common/dice.js';
import { commute, type Footprint } from './footprint.js';

/** The next step of an actor. */
export interface Step {
  /** One letter. */
  readonly actor: string;
  readonly footprint: Footprint;
}

/**
 * Who goes next; null: from here on, the schedule differs from one already played only in the order of steps that do not
 * conflict.
 */
export type Choose = (steps: readonly Step[]) => string | null;

/** A point of a schedule at which an actor was chosen. */
interface Point {
  readonly steps: readonly Step[];
  readonly before: string | null;
  chosen: string;
  /** Actors that must not go here: they did before, or their order would be equivalent. */
  asleep: readonly Step[];
}

/**
 * Every order of the steps of some actors, depth first, each schedule played from its start. Of orders that differ only in
 * neighbouring steps that do not conflict, one is played to its end (sleep sets).
 */
export function* everyOrder(): Generator<Choose, void, undefined> {
  const points: Point[] = [];
  do {
    let depth = 0;
    yield (steps) => {
      const point = points[depth] ?? nextPoint(points.at(-1), steps);
      if (point === null) return null;
      if (lettersOf(steps) !== lettersOf(point.steps))
        throw new Error(`${lettersOf(point.steps)} could go on before, and now ${lettersOf(steps)}.`);
      points[depth] = point;
      depth += 1;
      return point.chosen;
    };
  } while (turnBack(points));
}

function nextPoint(last: Point | undefined, steps: readonly Step[]): Point | null {
  const taken = last?.steps.find(({ actor }) => actor === last.chosen);
  const asleep = taken ? last?.asleep.filter(({ footprint }) => commute(footprint, taken.footprint)) : [];
  const point = { steps, before: last?.chosen ?? null, asleep: asleep ?? [] };
  const chosen = choiceAt(point);
  return chosen === null ? null : { ...point, chosen };
}

/** Goes back to the last point where another choice is left; false: there is none. */
function turnBack(points: Point[]): boolean {
  for (;;) {
    const point = points.at(-1);
    if (!point) return false;
    point.asleep = [...point.asleep, ...point.steps.filter(({ actor }) => actor === point.chosen)];
    const chosen = choiceAt(point);
    if (chosen !== null) {
      point.chosen = chosen;
      return true;
    }
    points.pop();
  }
}

/** The previous actor, as long as it can go on: so the first schedule is one actor after the other. */
function choiceAt({ steps, before, asleep }: Omit<Point, 'chosen'>): string | null {
  const awake = steps.filter(({ actor }) => !asleep.some((step) => step.actor === actor));
  return (awake.find(({ actor }) => actor === before) ?? awake[0])?.actor ?? null;
}

/** This many orders from the seed; half of the time the previous actor goes on. */
export function* anyOrders(seed: number, most: number): Generator<Choose, void, undefined> {
  for (let number = 1; number <= most; number += 1) {
    const dice = new Dice(seed, `schedule ${number}`);
    let before: string | null = null;
    yield (steps) => {
      const goesOn = steps.some(({ actor }) => actor === before) && dice.chance(0.5);
      if (!goesOn) before = dice.pick(steps).actor;
      return before;
    };
  }
}

/** As these letters say; beyond them, and where one of them cannot go, the first actor that can. */
export function givenOrder(letters: string): Choose {
  let place = 0;
  return (steps) => {
    const letter = letters[place];
    place += 1;
    return (steps.find(({ actor }) => actor === letter) ?? steps[0])?.actor ?? null;
  };
}

function lettersOf(steps: readonly Step[]): string {
  return steps.map(({ actor }) => actor).join('');
}
