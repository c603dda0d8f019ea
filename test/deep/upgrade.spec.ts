import { execFileSync } from 'node:child_process';
import { fixedMigrations } from '../migrations/fixed.js';
import { whatDoesNotOnlyAdd } from '../migrations/only-adds.js';
import { testAccount } from '../support/account.js';
import { eventually } from '../support/eventually.js';
import { workspace } from '../support/packed.js';
import { makeReceiptsWithPayments, makeWhatIsSettled, makeWhatIsUnderWay } from './upgrade/every-state.js';
import { laterMigration } from './upgrade/later-migration.js';
import { DAY_MS, HOUR_MS, Shop } from './upgrade/shop.js';
import { rowsByState, type States } from './upgrade/states.js';
import type { VersionHost } from './upgrade/version-host.js';
import { unpackVersions, type Versions } from './upgrade/versions.js';

const git = (...flags: readonly string[]): string =>
  execFileSync('git', flags, { cwd: workspace, encoding: 'utf8' }).trim();

/**
 * The version that people upgrade from: until the first release the commit in which the migration got its text. With each release it becomes the
 * commit of that release.
 */
const EARLIER = git('log', '-1', '--format=%H', '--', 'libs/payments/src/schema/migrations');

/** States of which the earlier version makes no row here, and why. */
const notMade: Readonly<Record<string, string>> = {
  'payments_stores: status = needs_reconnect': 'only of a connected store: a platform, not a shop',
  'payments_stores: status = disconnected': 'only of a connected store: a platform, not a shop',
  'payments_recoveries: listing = refunds': 'a window passes through it between two pages',
  'payments_recoveries: reason = commits_lost':
    'needs a database that goes back; worked off as one that is requested',
  'payments_recoveries: reason = server_changed': 'needs another server; worked off likewise',
  'payments_recoveries: reason = timeline_changed': 'needs a standby that is promoted; worked off likewise',
  'payments_recoveries: reason = silence': 'needs minutes in which no process is up; worked off likewise',
  'payments_recoveries: reason = in_flight': 'follows one of those',
  'payments_incidents: name = hold.expired':
    'needs days in which no process is up; waits for a person as the others do',
};

/** What the faults of the service and the handler that fails by order make a process say; all else is a finding. */
const explained = [
  / Handler orders\.stubborn failed /,
  / receipt of .* (was not registered|is still not registered|is missing)/,
  / the service refused the receipt: .* This store has no receipts/,
  // The service takes no receipt of a hold that is gone by then, and nobody needs one.
  / let go" needs a person: the service refused the receipt: .* Receipt can not be made in current status/,
  / could not be re-read and will be tried again: .* HTTP 500 /,
  / set aside as foreign/,
  / Order overpaid needs a person: a superseded payment was paid/,
  // The refund under way: it becomes known by the list of that day, or by its own next try.
  / was read at the service: 0 forgotten payments are recorded again, 1 have refunds that were not known/,
];

/** A shallow clone has no earlier version: the tests are listed as skipped there. */
const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
const describeWhole = isShallow ? describe.skip : describe;

let versions: Versions;
beforeAll(async () => {
  if (!isShallow) versions = await unpackVersions(EARLIER);
}, 600_000);
afterAll(async () => {
  if (!isShallow) await versions.remove();
});

/** Without rows, and without a reason. */
const missingIn = (states: States): string[] =>
  [...states].flatMap(([state, rows]) => (rows === 0 && !Object.hasOwn(notMade, state) ? [state] : []));

describeWhole('an upgrade', () => {
  let shop: Shop;
  let old: VersionHost;
  let migrated: unknown;
  let before: States;
  /** What the earlier version waits for as the tables change. */
  let calls: Promise<PromiseSettledResult<unknown>[]>;

  beforeAll(async () => {
    shop = await Shop.open(versions, 'with_payment');
    migrated = await shop.migrate('old');
    await shop.makeEffects();
    await makeReceiptsWithPayments(shop);
    shop.sandbox.stores.change(testAccount.shopId, { receipts: { scenario: 'after_payment' } });
    old = await shop.start('old');
    await makeWhatIsSettled(shop, old);
    calls = Promise.allSettled(await makeWhatIsUnderWay(shop, old));
  });
  afterAll(() => shop.close());

  it('begins with rows in every state, in tables that stay as they were made', async () => {
    expect(migrated).toEqual(Object.keys(fixedMigrations));
    before = await eventually(
      () => rowsByState(shop.database.sql),
      (states) => missingIn(states).length === 0,
    );
    const neverMissing = Object.keys(notMade).filter((state) => before.get(state) !== 0);
    expect(neverMissing).toEqual([]);
  });

  it('changes the tables under processes that are at work, whose calls end well', async () => {
    const later = await laterMigration(shop.database.sql);
    expect(whatDoesNotOnlyAdd(later)).toEqual([]);
    const migrating = shop.migrate('new', later);
    await shop.order({ hangs: false });
    expect(await migrating).toContain('Later1999000000000');
    shop.sandbox.faults.clear();
    expect(await calls).not.toContainEqual(expect.objectContaining({ status: 'rejected' }));
  });

  it('has buyers go on with both versions at once', async () => {
    const added = await shop.start('new');
    await shop.order({ fails: false });
    await shop.until('SELECT count(*)::int FROM payments_recoveries WHERE done_at IS NULL', 0);
    const both: [VersionHost, VersionHost, string][] = [
      [old, added, 'old to new'],
      [added, old, 'new to old'],
    ];
    const ends = [];
    for (const [one, other, name] of both) ends.push(...(await buyAndReturn(one, other, name)));
    // Back to the old version, and forward again: processes of both start on these tables.
    await shop.stop(added);
    const again = await shop.start('old');
    ends.push(...(await buyAndReturn(again, old, 'gone back')));
    await shop.stop(again);
    const refunded = expect.objectContaining({ status: 'succeeded', refundKey: 'all' });
    const [captured, letGo] = ['succeeded', 'canceled'].map((status) => expect.objectContaining({ status }));
    expect(ends).toEqual(Array.from({ length: 6 }, () => [refunded, captured, letGo]).flat());
  });

  it('settles everything, what waits for a person included', async () => {
    const added = await shop.start('new');
    await settle(added);
    for (const host of [old, added]) {
      const waiting = await eventually(
        async () => {
          await shop.pass(HOUR_MS);
          return waitingAt(host);
        },
        ({ length }) => length === 0,
      );
      expect(waiting).toEqual([]);
    }
  });

  it('leaves books that agree with the service’s', async () => {
    const to = shop.sandbox.clock.now();
    const period = { from: new Date(to.getTime() - 30 * DAY_MS), to };
    const audit: unknown = await old.call('operator', 'audit', period);
    expect(audit).not.toContainEqual(expect.not.objectContaining({ differences: [] }));
    expect(audit).toContainEqual(
      expect.objectContaining({ payments: expect.any(Number), receipts: expect.any(Number) }),
    );
    const { payments } = shop.sandbox.ledger.report();
    expect(Object.values(payments).filter(({ charges }) => charges > 1)).toEqual([]);
  });

  it('leaves rows in the states in which they stay', async () => {
    const after = await rowsByState(shop.database.sql);
    console.table(
      [...before].map(([state, rows]) => ({ state, before: rows, after: after.get(state) ?? 0 })),
    );
    const onTheirWay = [...after].filter(
      ([state, rows]) => rows > 0 && / (submitting|unknown|failing|open|parked|failed|waiting)$/.test(state),
    );
    expect(onTheirWay).toEqual([]);
  });

  it('runs each handler once, whatever version ran it', async () => {
    const { rows: wrong } = await shop.database.sql.query(
      `SELECT event_id, handler_id, runs, done_at FROM
         (SELECT event_id, handler_id, count(*) AS runs FROM effects GROUP BY 1, 2) effect
         FULL JOIN (SELECT event_id, handler_id, done_at FROM payments_deliveries WHERE handler_id <> 'orders.thank-you') delivery
         USING (event_id, handler_id)
       WHERE runs IS DISTINCT FROM 1 OR done_at IS NULL`,
    );
    expect(wrong).toEqual([]);
    const { rows: ran } = await shop.database.sql.query(
      'SELECT version, count(DISTINCT handler_id)::int AS handlers FROM effects GROUP BY 1 ORDER BY 1',
    );
    expect(ran).toEqual([
      { version: 'new', handlers: 4 },
      { version: 'old', handlers: 4 },
    ]);
    const thanks = shop.started.flatMap(({ host }) => host.effects);
    expect(new Set(thanks.map(({ effectKey }) => effectKey)).size).toBe(thanks.length);
    await shop.until(
      `SELECT count(*)::int FROM payments_deliveries WHERE handler_id = 'orders.thank-you' AND done_at IS NOT NULL`,
      thanks.length,
    );
    expect(new Set(thanks.map(({ version }) => version)).size).toBe(2);
  });

  it('makes no process complain of anything but the faults', async () => {
    const said = shop.started.flatMap(({ host, version }) => host.said.map((line) => `${version}: ${line}`));
    const complaints = said.filter((line) => / (ERROR|WARN|FATAL) /.test(line));
    expect(complaints.filter((line) => !explained.some((known) => known.test(line)))).toEqual([]);
  });

  /** The figures of the backlog in which something waits. */
  async function waitingAt(host: VersionHost): Promise<[string, unknown][]> {
    const backlog: unknown = await host.call('operator', 'backlog');
    return Object.entries(Object(backlog)).filter(([, figure]) => Object(figure).count !== 0);
  }

  /** Purchases that one process begins and the other ends, with notifications to either; what the ends returned. */
  async function buyAndReturn(one: VersionHost, other: VersionHost, name: string): Promise<unknown[]> {
    const ends = [];
    for (const notified of [one, other]) {
      shop.notify(notified);
      const reference = `${name}, notified at the ${notified === one ? 'first' : 'second'}`;
      const bought = await shop.paid(one, reference);
      ends.push(await other.call('payments', 'refund', bought.id, { refundKey: 'all' }));
      const captured = await shop.held(one, `${reference}, captured`);
      ends.push(await other.call('payments', 'capture', captured.id));
      const letGo = await shop.held(one, `${reference}, let go`);
      ends.push(await other.call('payments', 'cancel', letGo.id));
    }
    const declined = await shop.create(one, `${name}, declined`);
    shop.sandbox.payments.pay(declined.serviceId, { outcome: 'decline' });
    await shop.becomes(`${name}, declined`, 'canceled');
    return ends;
  }

  /** What time settles, and what a person has to: that person works with `host`. */
  async function settle(host: VersionHost): Promise<void> {
    const { refunds, receipts } = shop.sandbox;
    for (const { id, status } of refunds.list()) if (status === 'pending') refunds.finish(id, 'succeeded');
    for (const { id, status } of receipts.list()) if (status === 'pending') receipts.finish(id, 'succeeded');
    await host.call('operator', 'retryAll', { by: 'anna' });
    await host.call('payments', 'capture', (await shop.paymentOf('hold to flag')).id);
    // The capture that was refused for now is sent again while its key may be used.
    await eventually(
      async () => {
        await shop.pass(HOUR_MS / 6);
        return shop.paymentOf('capture refused for now');
      },
      ({ status }) => status === 'succeeded',
    );
    // The other holds end by their policies, a day before the service lets them go.
    for (let day = 0; day < 6; day += 1) await shop.pass(DAY_MS);
    await shop.pass(HOUR_MS);
    await shop.becomes('hold to capture', 'succeeded');
    await shop.becomes('hold to cancel', 'canceled');
    for (const { id, isOwn } of await shop.openReceiptProblems()) {
      const by = { by: 'Anna', note: 'looked into' };
      await host.call('operator', isOwn ? 'sendReceiptAgain' : 'resolveReceipt', id, by);
    }
    for (const id of await shop.openIncidents())
      await host.call('operator', 'resolveIncident', id, { by: 'Anna', note: 'looked into' });
    await shop.pass(DAY_MS);
  }
});

describeWhole('an upgrade that takes something away', () => {
  it('is noticed by the process of the earlier version', async () => {
    const shop = await Shop.open(versions, 'after_payment');
    try {
      await shop.migrate('old');
      await shop.makeEffects();
      const old = await shop.start('old');
      const { id } = await shop.paid(old, 'A-1');
      await shop.migrate('new', ['ALTER TABLE "payments_refunds" RENAME COLUMN "whole" TO "entire"']);
      await expect(old.call('payments', 'refund', id, { refundKey: 'all' })).rejects.toThrow(
        'column "whole" of relation "payments_refunds" does not exist',
      );
    } finally {
      await shop.close();
    }
  });
});
