import { findingsOf } from '../interleavings/findings.js';
import { anyOrders, everyOrder, givenOrder, type Choose } from '../interleavings/schedules.js';
import type { Scenario } from '../interleavings/stage.js';
import { Stage, scenarios } from '../interleavings/without-pauses.js';
import { runIn, workspace } from '../support/packed.js';

/** Every order of this scenario is played; others have thousands. */
const WHOLE = 'paid, with one worker';
const SCHEDULES = 60;
const SCHEDULES_OF = new Map([
  // What every payment goes through, with two workers.
  ['paid', 180],
  // Three times as many steps as others have.
  ['a receipt by itself, and a capture', 20],
  ['a receipt by itself, and a cancel', 20],
]);
/**
 * SCHEDULE='paid: aabnr': only this one; 'a handler fails: every': every order of that scenario. SEED: of the dice, which each commit
 * throws anew, so that over time far more orders are played than in any one run.
 */
const { SCHEDULE } = process.env;
// A given schedule throws no dice, and is played in copies that are no clone too.
const { SEED = SCHEDULE === undefined ? await seedOfCommit() : '' } = process.env;
const [only, letters = ''] = (SCHEDULE ?? '').split(':').map((part) => part.trim());

async function seedOfCommit(): Promise<string> {
  const { stdout } = await runIn(workspace, 'git', ['rev-parse', 'HEAD']);
  return String(Number.parseInt(stdout.slice(0, 8), 16));
}

interface Plan {
  readonly title: string;
  readonly orders: () => Iterable<Choose>;
}

function planOf(name: string): Plan {
  if (letters === 'every' || (SCHEDULE === undefined && name === WHOLE))
    return { title: 'every order', orders: everyOrder };
  if (SCHEDULE !== undefined) return { title: letters, orders: () => [givenOrder(letters)] };
  return {
    title: `SEED=${SEED}`,
    orders: () => anyOrders(Number(SEED), SCHEDULES_OF.get(name) ?? SCHEDULES),
  };
}

describe('the statements of several processes at one payment lose nothing and do nothing twice', () => {
  const stages = new Map<Scenario['setup'], Awaited<ReturnType<typeof Stage.open>>>();
  afterAll(async () => {
    for (const stage of stages.values()) await stage.close();
  });
  const stageFor = async (setup: Scenario['setup']) => {
    const stage = stages.get(setup) ?? (await Stage.open(setup));
    stages.set(setup, stage);
    return stage;
  };

  const plans = scenarios
    .filter(({ name }) => SCHEDULE === undefined || name === only)
    .map((scenario) => ({ scenario, name: scenario.name, ...planOf(scenario.name) }));

  it.each(plans)(
    '$name ($title)',
    async ({ scenario, name, orders }) => {
      const { played, found } = await findingsOf(await stageFor(scenario.setup), scenario, orders());
      process.stdout.write(`${name}: ${played} schedules\n`);
      expect(found).toEqual([]);
      expect(played).toBeGreaterThan(0);
    },
    900_000,
  );
});
