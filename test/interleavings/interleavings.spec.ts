import { findingsOf } from './findings.js';
import { anyOrders } from './schedules.js';
import { Stage, scenarios } from './without-pauses.js';

/** Orders of each of these scenarios; test/deep/interleavings.spec.ts plays thousands, of all scenarios. */
const SCHEDULES = 4;
const NAMES = ['paid', 'overtaken', 'half-way at payments_due', 'a handler dies', 'an effect'];
const SEED = 1;

describe('a few orders of the statements of several processes at one payment', () => {
  let stage: Awaited<ReturnType<typeof Stage.open>>;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());

  it.each(scenarios.filter(({ name }) => NAMES.includes(name)))(
    'lose nothing and do nothing twice: $name',
    async (scenario) => {
      expect(await findingsOf(stage, scenario, anyOrders(SEED, SCHEDULES))).toEqual({
        played: SCHEDULES,
        found: [],
      });
    },
  );
});
