import { Client } from 'pg';
import { loadBulk } from '../plans/bulk.js';
import { judge, faultsOf } from '../plans/judge.js';
import { openKeptDatabase, type KeptDatabase } from '../plans/kept-database.js';
import { recordScenarios, type Recorded } from '../plans/scenarios.js';
import { createTestDatabase } from '../support/database.js';

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

  it('lists the rows of all stores without a page of each, where five thousand stores have some', async () => {
    const platform = await createTestDatabase();
    try {
      const client = new Client(platform.url);
      await client.connect();
      await loadBulk(client, 25_000, { ofSmallStores: true });
      await client.end();
      const lists = await judge(recorded, platform.url, { manyStores: true });
      expect(faultsOf(lists)).toEqual([]);
      expect(lists.length).toBeGreaterThan(5);
    } finally {
      await platform.drop();
    }
  });
});
