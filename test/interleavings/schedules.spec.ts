import { commute, footprintOf, NOTHING, type Footprint } from './footprint.js';
import { anyOrders, everyOrder, givenOrder, type Choose } from './schedules.js';

/** Plays actors whose steps are given by their footprints; null: the schedule was given up. */
function play(actors: Readonly<Record<string, readonly Footprint[]>>, choose: Choose): string | null {
  let schedule = '';
  for (;;) {
    const steps = Object.entries(actors).flatMap(([actor, own]) => {
      const footprint = own[schedule.split(actor).length - 1];
      return footprint ? [{ actor, footprint }] : [];
    });
    if (steps.length === 0) return schedule;
    const chosen = choose(steps);
    if (chosen === null) return null;
    schedule += chosen;
  }
}

function playEach(actors: Parameters<typeof play>[0]): string[] {
  const played: string[] = [];
  for (const choose of everyOrder()) {
    const schedule = play(actors, choose);
    if (schedule !== null) played.push(schedule);
  }
  return played;
}

const writes = (table: string): Footprint => ({ reads: [table], locks: [table], publishes: [table] });
const reads = (table: string): Footprint => ({ ...NOTHING, reads: [table] });

describe('every order of steps', () => {
  it('that conflict is played once', () => {
    const played = playEach({ a: [writes('x'), writes('x')], b: [writes('x'), writes('x')] });
    expect(played.toSorted()).toEqual(['aabb', 'abab', 'abba', 'baab', 'baba', 'bbaa']);
  });

  it('that do not conflict is one order', () => {
    expect(playEach({ a: [writes('x'), writes('x')], b: [writes('y'), reads('z')] })).toEqual(['aabb']);
    expect(playEach({ a: [reads('x')], b: [reads('x')], c: [reads('x')] })).toEqual(['abc']);
  });

  it('distinguishes what a reader may see', () => {
    const played = playEach({ a: [writes('x'), writes('y')], b: [reads('x'), reads('y')] });
    expect(played.toSorted()).toEqual(['aabb', 'abba', 'baab', 'bbaa']);
  });

  it('fails if a schedule does not repeat itself', () => {
    const [first, second] = [...firstTwo()];
    expect(first).toBe('ab');
    expect(second).toMatch('could go on before');
  });
});

/** The second time there is another actor. */
function* firstTwo(): Generator<string | null> {
  const orders = everyOrder();
  const both = { a: [writes('x')], b: [writes('x')] };
  const first = orders.next().value;
  yield first ? play(both, first) : null;
  const second = orders.next().value;
  try {
    yield second ? play({ ...both, c: [writes('x')] }, second) : null;
  } catch (error) {
    yield String(error);
  }
}

describe('an order', () => {
  const actors = { a: [writes('x'), writes('x')], b: [writes('x'), writes('x')] };

  it('by a seed is the same again', () => {
    const played = () => [...anyOrders(7, 20)].map((choose) => play(actors, choose));
    expect(played()).toEqual(played());
    expect(new Set(played()).size).toBeGreaterThan(3);
  });

  it('that is given is kept as far as possible', () => {
    expect(play(actors, givenOrder('abba'))).toBe('abba');
    expect(play(actors, givenOrder('bbbx'))).toBe('bbaa');
  });
});

describe('a statement', () => {
  const update = 'WITH "x" AS (SELECT 1) UPDATE "public"."payments_due" due SET a = 1 FROM payments_orders';

  it('reads the tables that it names, and locks and publishes those that it writes', () => {
    expect(footprintOf(update, { inTransaction: false })).toEqual({
      reads: ['payments_due', 'payments_orders'],
      locks: ['payments_due'],
      publishes: ['payments_due'],
    });
  });

  it('shows nothing before its transaction commits', () => {
    const footprint = footprintOf(update, { inTransaction: true });
    expect(commute(footprint, reads('payments_due'))).toBe(true);
    expect(commute(footprint, writes('payments_due'))).toBe(false);
  });

  it('that locks what it reads conflicts with whoever writes that', () => {
    const footprint = footprintOf('SELECT FROM payments_due FOR NO KEY UPDATE', { inTransaction: true });
    expect(commute(footprint, footprint)).toBe(false);
    expect(commute(footprint, reads('payments_due'))).toBe(true);
  });
});
