import { judge, faultsOf } from '../plans/judge.js';
import { openKeptDatabase, type KeptDatabase } from '../plans/kept-database.js';
import { recordScenarios, type Recorded } from '../plans/scenarios.js';

describe('every statement the module sends', () => {
  let recorded: Recorded;
  let large: KeptDatabase;
  beforeAll(async () => {
    large = await openKeptDatabase(2_000_000);
    recorded = await recordScenarios();
  }, 1_800_000);
  afterAll(async () => {
    await recorded?.close();
    await large?.close();
  });

  it.each([
    ['that nobody analyzed', false],
    ['analyzed', true],
  ])(
    'finds what it needs by an index among two million payments %s, and touches no more rows than its bound',
    async (_name, analyzed) => {
      expect(faultsOf(await judge(recorded, large.url, { analyzed }))).toEqual([]);
    },
    600_000,
  );
});
