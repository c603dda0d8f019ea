import { OnPaymentEvent, type DatabaseEvent, type HandlerContext, type Recovery } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { Database } from '../../libs/payments/src/database/database.js';
import { CommitMark } from '../../libs/payments/src/rollback/commit-mark.js';
import { openWindowSql } from '../../libs/payments/src/rollback/recovery-windows.js';
import { RollbackWatch } from '../../libs/payments/src/rollback/rollback-watch.js';
import { connectMany } from '../partner/connected-many.js';
import {
  app as platform,
  openPartnerBench,
  type PartnerBench,
  type PartnerHost,
} from '../partner/partner-bench.js';
import { eventually } from '../support/eventually.js';

const DAY_MS = 86_400_000;
/** No tick comes in between: a beat comes when the test says so. */
const byHand = { sweeps: { intervalMs: 3_600_000 } };

/** Told, in the database it is about. */
@Injectable()
class Told {
  @OnPaymentEvent('database.rolled_back', { id: 'test.rolled-back' })
  async rolledBack({ from, to, reason }: DatabaseEvent, { manager }: HandlerContext): Promise<void> {
    await manager.query('INSERT INTO told VALUES ($1, $2, $3)', [from, to, reason]);
  }
}

interface Row {
  epoch: string;
  epoch_number: number;
  counter: string;
  beat_at: Date;
  reached_at: Date;
  system_identifier: string | null;
  database: string | null;
  timeline: string | null;
}

describe('a database that forgets', () => {
  let bench: PartnerBench;
  let hosts: PartnerHost[];
  beforeEach(async () => {
    bench = await openPartnerBench();
    await bench.asOwner('CREATE TABLE told (from_at timestamptz, to_at timestamptz, reason text)');
    hosts = [];
  });
  afterEach(() => bench.close());

  async function start(options: Parameters<PartnerBench['startHost']>[0] = byHand): Promise<PartnerHost> {
    const host = await bench.startHost({ providers: [Told], ...options });
    hosts.push(host);
    return host;
  }

  /** With a store beside the shop's own. */
  async function startTwo(): Promise<[PartnerHost, PartnerHost]> {
    const both: [PartnerHost, PartnerHost] = [await start(), await start()];
    await connectMany(both[0], bench.sandbox.tokens.connectMany({ clientId: platform.clientId, count: 1 }));
    return both;
  }

  const beat = ({ app }: PartnerHost) => app.get(RollbackWatch).runNext();
  const row = async (): Promise<Row> => {
    const [found] = await bench.asOwner<Row>('SELECT * FROM payments_commit_mark');
    if (!found) throw new Error('There is no commit mark.');
    return found;
  };
  const change = (assignments: string) => bench.asOwner(`UPDATE payments_commit_mark SET ${assignments}`);
  /** Warnings and errors about the database. */
  const logs = () => bench.logs.filter((line) => line.startsWith('The database'));
  const told = () => bench.asOwner<{ from_at: Date; to_at: Date; reason: string }>('SELECT * FROM told');
  /** Until its handler has committed. */
  const isTold = () => eventually(told, ({ length }) => length > 0);
  /** But for the second looks that are still to come. */
  const recoveries = async (): Promise<Recovery[]> =>
    ((await hosts[0]?.operator.recoveries()) ?? []).filter(({ reason }) => reason !== 'in_flight');

  /** As it was right before all that beat since: the row goes back, and so does what it says of its time. */
  async function forget(): Promise<Date> {
    const before = await row();
    for (const host of hosts) await beat(host);
    await change(
      `epoch = '${before.epoch}', epoch_number = ${before.epoch_number}, counter = ${before.counter}, reached_at = '${before.reached_at.toISOString()}'`,
    );
    return (await row()).reached_at;
  }

  it('is counted up by every process, and nothing is suspected: at the first start, at the next one, or days later', async () => {
    const [first, second] = await startTwo();
    const before = await row();
    for (const host of [first, second, first]) await beat(host);
    expect(await row()).toMatchObject({
      epoch: before.epoch,
      epoch_number: 1,
      counter: String(Number(before.counter) + 3),
    });
    // Business time only.
    await bench.sandbox.clock.advance(3 * DAY_MS);
    for (const host of [first, second]) await beat(host);
    await start();
    expect((await row()).epoch).toBe(before.epoch);
    expect(await recoveries()).toEqual([]);
    expect(logs()).toEqual([]);
  });

  it('what processes have seen is noticed once for each store, told once, and logged', async () => {
    const both = await startTwo();
    await bench.sandbox.clock.advance(DAY_MS);
    const reached = await forget();
    const asked = bench.sandbox.clock.now();
    await Promise.all([...both, ...both].map((host) => beat(host)));
    // Those that did not notice by themselves take over what the others have.
    for (const host of both) await beat(host);
    const found = await recoveries();
    const stores = await bench.asOwner<{ id: string }>('SELECT id FROM payments_stores ORDER BY id');
    expect(found.map(({ store }) => store).toSorted()).toEqual(stores.map(({ id }) => id));
    for (const { from, to, reason, doneAt, error } of found) {
      expect({ from, reason, doneAt, error }).toEqual({
        from: reached,
        reason: 'commits_lost',
        doneAt: null,
        error: null,
      });
      expect(Math.abs(to.getTime() - asked.getTime())).toBeLessThan(DAY_MS / 2);
    }
    expect(await isTold()).toEqual([{ from_at: reached, to_at: found[0]?.to, reason: 'commits_lost' }]);
    expect(logs()).toEqual([
      expect.stringMatching(/^The database has forgotten commits: .*operator\.recoveries\(\)/),
    ]);
    expect((await row()).epoch_number).toBe(2);
  });

  it('an epoch that a process has seen begin is noticed too', async () => {
    const both = await startTwo();
    const old = await row();
    await forget();
    for (const host of both) await beat(host);
    expect((await row()).epoch_number).toBe(2);
    await change(`epoch = '${old.epoch}', epoch_number = 1, counter = 1000`);
    for (const host of both) await beat(host);
    // Higher than both.
    expect((await row()).epoch_number).toBe(3);
    expect(await recoveries()).toHaveLength(4);
  });

  it('and says so by its timeline is noticed by a process that is new to it, once', async () => {
    await start();
    const { timeline } = await row();
    expect(timeline).toEqual(expect.any(String));
    // The row is the one that the other server had.
    await change(`timeline = 'another'`);
    const [late, web] = [await start(), await start({ sweeps: false })];
    for (const host of hosts) await (host === web ? host.app.get(RollbackWatch).look() : beat(host));
    expect(await recoveries()).toMatchObject([{ reason: 'timeline_changed' }]);
    expect(logs()).toEqual([expect.stringMatching(/on another timeline/)]);
    expect((await row()).timeline).toBe(timeline);
    await isTold();
    const found = await late.operator.recoveries();
    expect(found.filter((recovery) => recovery.reason !== 'in_flight')).toHaveLength(1);
  });

  it('and is an older backup on another server is known to have forgotten what a process has seen, once a person lets it go on', async () => {
    const host = await start();
    const { counter } = await row();
    for (const each of [host, host]) await beat(each);
    await change(`counter = ${counter}, system_identifier = 'another'`);
    await beat(host);
    expect(await recoveries()).toEqual([]);
    expect(await host.operator.continueDatabase()).not.toBeNull();
    expect(await recoveries()).toMatchObject([{ reason: 'commits_lost' }]);
  });

  it.each([
    ['system_identifier', /on another server/],
    ['database', /another one than it was: \d+ \w+, and not another \(/],
  ] as const)('that another %s is there waits for a person, who is answered once', async (column, line) => {
    await start();
    const { [column]: shown, reached_at: reached } = await row();
    expect(shown).toEqual(expect.any(String));
    await change(`${column} = 'another'`);
    const [late, web] = [await start(), await start({ sweeps: false })];
    for (const host of hosts) await (host === web ? host.app.get(RollbackWatch).look() : beat(host));
    expect(await recoveries()).toEqual([]);
    expect(logs()).toEqual(hosts.map(() => expect.stringMatching(line)));
    expect((await row())[column]).toBe('another');
    const answers = await Promise.all([late, web].map(({ operator }) => operator.continueDatabase()));
    expect(answers.filter((answer) => answer !== null)).toMatchObject([{ from: reached }]);
    expect((await row())[column]).toBe(shown);
    for (const host of hosts) await beat(host);
    expect(await recoveries()).toMatchObject([{ reason: 'server_changed' }]);
    expect(await isTold()).toMatchObject([{ reason: 'server_changed' }]);
  });

  it('while no process reached it is looked at without a word to handlers, and a process without sweeps hides no silence', async () => {
    const first = await start();
    await first.close();
    hosts = [];
    await change(`beat_at = beat_at - interval '3 hours'`);
    const { beat_at: silentSince } = await row();
    await start({ sweeps: false });
    expect((await row()).beat_at).toEqual(silentSince);
    expect(await recoveries()).toEqual([]);
    await start();
    expect(await recoveries()).toMatchObject([{ reason: 'silence' }]);
    expect(await told()).toEqual([]);
    expect(logs()).toEqual([]);
  });

  it('while its processes slept is looked at by the first of them that wakes', async () => {
    const host = await start();
    // It suspects nothing for two of its passes, of an hour each.
    await change(`beat_at = beat_at - interval '1 hour'`);
    await beat(host);
    expect(await recoveries()).toEqual([]);
    await change(`beat_at = beat_at - interval '3 hours'`);
    await beat(host);
    expect(await recoveries()).toMatchObject([{ reason: 'silence' }]);
  });

  it('is noticed by its count alone where the server shows the role nothing of itself', async () => {
    await bench.asOwner('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
    await bench.asOwner('REVOKE EXECUTE ON FUNCTION pg_walfile_name(pg_lsn) FROM PUBLIC');
    const [host] = await startTwo();
    expect(await row()).toMatchObject({ system_identifier: null, timeline: null });
    await forget();
    await beat(host);
    expect((await recoveries()).map(({ reason }) => reason)).toEqual(['commits_lost', 'commits_lost']);
  });

  it('is noticed still where the server stops showing itself under a running process', async () => {
    const host = await start();
    await bench.asOwner('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
    await expect(beat(host)).rejects.toMatchObject({ driverError: { code: '42501' } });
    await beat(host);
    await forget();
    await beat(host);
    expect(await recoveries()).toMatchObject([{ reason: 'commits_lost' }]);
  });

  it.each([
    ['system_identifier', 'pg_control_system()'],
    ['timeline', 'pg_walfile_name(pg_lsn)'],
  ] as const)('keeps its %s in the mark while the server does not show it', async (column, way) => {
    const host = await start();
    const { [column]: before } = await row();
    expect(before).toEqual(expect.any(String));
    await bench.asOwner(`REVOKE EXECUTE ON FUNCTION ${way} FROM PUBLIC`);
    await expect(beat(host)).rejects.toMatchObject({ driverError: { code: '42501' } });
    await change('counter = 0');
    await beat(host);
    expect((await row())[column]).toBe(before);
  });

  it('is looked at still by a process without sweeps where the server stops showing itself', async () => {
    const { app } = await start({ sweeps: false });
    const look = () => app.get(RollbackWatch).look();
    await bench.asOwner('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
    await expect(look()).rejects.toMatchObject({ driverError: { code: '42501' } });
    expect(await look()).toMatchObject({ news: null });
  });

  it('is noticed within a tick by a process that sweeps', async () => {
    await start({ sweeps: { intervalMs: 200 } });
    const { counter } = await row();
    await eventually(row, (now) => Number(now.counter) > Number(counter));
    await change('counter = 0');
    await eventually(recoveries, ({ length }) => length === 1);
    await isTold();
    expect(await recoveries()).toHaveLength(1);
  });

  it('is told from one that does not by a condition that a statement can contain, and so is an open window', async () => {
    const host = await start();
    const mark = host.app.get(CommitMark);
    const isExpected = async () => {
      const [found] = await host.dataSource.query<{ fine: boolean }[]>(
        `SELECT ${mark.isExpected('$1', '$2')} AS fine`,
        [...mark.expected],
      );
      return found?.fine;
    };
    const isOpen = async () => {
      const sql = openWindowSql(host.app.get(Database), 'store.id');
      const [found] = await host.dataSource.query<{ open: boolean }[]>(
        `SELECT ${sql} AS open FROM payments_stores store`,
      );
      return found?.open;
    };
    expect([await isExpected(), await isOpen()]).toEqual([true, false]);
    await change(`timeline = 'another'`);
    expect(await isExpected()).toBe(false);
    await beat(host);
    expect([await isExpected(), await isOpen()]).toEqual([true, true]);
    await change('counter = 0');
    expect(await isExpected()).toBe(false);
    await bench.asOwner('UPDATE payments_recoveries SET done_at = now()');
    expect(await isOpen()).toBe(false);
  });
});
