import { findingsOf } from './findings.js';
import { anyOrders } from './schedules.js';
import { Stage, scenarios } from './without-pauses.js';

/** Of each scenario; test/deep/interleavings.spec.ts plays thousands. */
const SCHEDULES = 3;
const SEED = 1;

describe('a few orders of the statements of several processes at one payment', () => {
  let stage: Awaited<ReturnType<typeof Stage.open>>;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  it.each(scenarios)('lose nothing and do nothing twice: $name', async (scenario) => {
    expect(await findingsOf(stage, scenario, anyOrders(SEED, SCHEDULES))).toEqual({
      played: SCHEDULES,
      found: [],
    });
  });
});
