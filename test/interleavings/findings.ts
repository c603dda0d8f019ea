import type { Choose } from './schedules.js';
import type { Played, Scenario, Stage } from './stage.js';

/** Many schedules fail for the same cause. */
const ENOUGH = 3;

interface Findings {
  /** Schedules that were played to their end. */
  readonly played: number;
  readonly found: readonly string[];
}

/** Plays a scenario in each of these orders, and reports failures so that they can be played again. */
export async function findingsOf(
  stage: Stage,
  scenario: Scenario,
  orders: Iterable<Choose>,
): Promise<Findings> {
  const found: string[] = [];
  let played = 0;
  for (const choose of orders) {
    const one = await stage.play(scenario, choose);
    if (one.isNew) played += 1;
    if (one.faults.length > 0) found.push(describe(scenario, one));
    if (found.length === ENOUGH) break;
  }
  return { played, found };
}

function describe({ name }: Scenario, { schedule, faults, log }: Played): string {
  return [`SCHEDULE='${name}: ${schedule}'`, ...faults, log].join('\n');
}
