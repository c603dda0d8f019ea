import { Pool } from 'pg';

import { query } from '../support/database.js';
import { startReplicatedDatabase, type TestReplicatedDatabase } from '../support/replicated-database.js';

const READ = 'SELECT what FROM said ORDER BY id';
const PLACE = `SELECT system_identifier::text AS server,
  substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) AS timeline FROM pg_control_system()`;

interface Said {
  readonly what: string;
}

describe('a primary with a standby that lags', () => {
  let database: TestReplicatedDatabase;
  let clients: Pool;
  beforeAll(async () => {
    database = await startReplicatedDatabase();
    clients = new Pool({ connectionString: database.url, max: 1 });
    // The primary of an idle connection may die.
    clients.on('error', () => undefined);
    await clients.query('CREATE TABLE said (id int GENERATED ALWAYS AS IDENTITY, what text NOT NULL)');
  });
  afterAll(async () => {
    await clients.end();
    await database.close();
  });

  const say = (what: string) => clients.query('INSERT INTO said (what) VALUES ($1)', [what]);
  const said = async (): Promise<string[]> => (await clients.query<Said>(READ)).rows.map(({ what }) => what);
  const place = async () => (await query<{ server: string; timeline: string }>(database.url, PLACE))[0];
  const named = (rows: readonly Said[]) => rows.map(({ what }) => what);

  it('loses at a failover what was committed after the stream was cut, and nothing before', async () => {
    const before = await place();
    await say('before the cut');
    await database.cutReplication();
    await say('after the cut');
    const { had, has } = await database.failOver<Said>(READ);
    expect(named(had)).toEqual(['before the cut', 'after the cut']);
    expect(named(has)).toEqual(['before the cut']);
    expect(await said()).toEqual(['before the cut']);
    expect(before?.timeline).toBe('00000001');
    expect(await place()).toEqual({ server: before?.server, timeline: '00000002' });
  });

  it('serves at the same address after the next failover, from the standby that was built meanwhile', async () => {
    await say('to the second primary');
    await database.restart(0);
    await say('to the same, restarted');
    await database.cutReplication();
    await say('after the second cut');
    const { had, has } = await database.failOver<Said>(READ);
    expect(had).toHaveLength(4);
    expect(has).toHaveLength(3);
    expect(await said()).toEqual(['before the cut', 'to the second primary', 'to the same, restarted']);
    expect((await place())?.timeline).toBe('00000003');
    await say('to the third primary');
  });

  it('is as it was once a copy is restored, on the timeline of the copy', async () => {
    const before = await place();
    await database.keepCopy();
    await say('after the copy');
    const { had, has } = await database.restore<Said>(READ);
    expect(named(had).at(-1)).toBe('after the copy');
    expect(named(has).at(-1)).toBe('to the third primary');
    expect(await said()).toEqual(named(has));
    expect(await place()).toEqual(before);
  });

  it('follows the restored copy too', async () => {
    await say('after the restore');
    await database.cutReplication();
    await say('after the last cut');
    await database.failOver<Said>(READ);
    expect((await said()).at(-1)).toBe('after the restore');
  });
});
