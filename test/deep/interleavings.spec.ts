import { findingsOf } from '../interleavings/findings.js';
import { anyOrders, everyOrder, givenOrder, type Choose } from '../interleavings/schedules.js';
import type { Scenario } from '../interleavings/stage.js';
import { Stage, scenarios } from '../interleavings/without-pauses.js';
import { runIn, workspace } from '../support/packed.js';

/** Every order of this scenario is played, in two minutes; others have as many, or more than can be played. */
const WHOLE = 'paid';
const SCHEDULES = 100;
/** Of these: each has three times as many steps. */
const LONG = ['a receipt by itself, and a capture', 'a receipt by itself, and a cancel'];
const SCHEDULES_OF_LONG = 35;
/**
 * SCHEDULE='paid: aabnr': only this one; 'a handler fails: every': every order of that scenario. SEED: of the dice, which each commit
 * throws anew, so that over time far more orders are played than in any one run.
 */
const { SEED = await seedOfCommit(), SCHEDULE } = process.env;
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
  const most = LONG.includes(name) ? SCHEDULES_OF_LONG : SCHEDULES;
  return { title: `SEED=${SEED}`, orders: () => anyOrders(Number(SEED), most) };
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
