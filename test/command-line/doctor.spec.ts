import { OnPaymentEvent, paymentsMigrations } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { exitCodes } from '../../libs/payments/src/cli/exit-codes.js';
import { appBeside, command, type Difference } from '../support/command-line.js';
import { query } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { expired } from '../support/expired-certificate.js';
import { ownLoopback } from '../support/own-loopback.js';
import { workspace } from '../support/packed.js';
import { openBench, orderInput, type Bench } from '../support/payments-host.js';
import { selfSigned } from '../support/self-signed.js';

/** Port 443 is root's; the service notifies 8443 as well. */
const WEBHOOK = `https://${ownLoopback}:8443/webhooks/payments`;

@Injectable()
class PaidOrders {
  @OnPaymentEvent('payment.succeeded', { id: 'shop.mark-paid' })
  markPaid(): Promise<void> {
    return Promise.resolve();
  }
}

interface Stage {
  readonly bench: Bench;
  /** Is undone once the doctor has looked. */
  readonly later: (undo: () => Promise<unknown>) => void;
}

/** A set-up that is broken in one place. */
interface Broken {
  readonly what: string;
  /** Breaks what is around the application; says how the application itself is broken. */
  readonly by: (stage: Stage) => Promise<Difference & { readonly url?: string }>;
  /** The one check that finds it. */
  readonly check: string;
  readonly found: RegExp;
  readonly fix: RegExp;
}

const bySql =
  (sql: string, undo: string) =>
  async ({ bench, later }: Stage): Promise<Difference> => {
    await query(bench.database.url, sql);
    later(() => query(bench.database.url, undo));
    return {};
  };

async function answering({ later }: Stage, status: number, tls = selfSigned, headers = {}): Promise<string> {
  const server: Server = createServer(tls, (_request, response) => {
    response.writeHead(status, headers).end('{"message":"This address may not send notifications."}');
  });
  server.listen(8443, ownLoopback);
  await once(server, 'listening');
  later(() => {
    server.closeAllConnections();
    server.close();
    return once(server, 'close');
  });
  return WEBHOOK;
}

const broken: readonly Broken[] = [
  {
    what: 'a secret key with a space',
    by: async () => ({ payments: { secretKey: 'not a key' } }),
    check: 'configuration',
    found: /^the module cannot be made$/,
    fix: /secretKey must be the secret key from the Merchant Profile/,
  },
  {
    what: 'a database that is away',
    by: async () => ({ database: { url: 'postgres://shop@127.0.0.1:1/shop' } }),
    check: 'data source',
    found: /connect ECONNREFUSED 127\.0\.0\.1:1/,
    fix: /^Start PostgreSQL, or correct host and port of the data source\.$/,
  },
  {
    what: 'a database that is not there',
    by: async ({ bench }) => ({ database: { url: bench.database.url.replace(/\w+$/, 'nowhere') } }),
    check: 'data source',
    found: /database "nowhere" does not exist/,
    fix: /^Create the database, or correct its name in the data source\.$/,
  },
  {
    what: 'a data source without the entities',
    by: async () => ({ database: { autoLoadEntities: false } }),
    check: 'data source',
    found: /cannot work through it/,
    fix: /set autoLoadEntities: true/,
  },
  {
    what: 'a database that nobody has migrated, though migrationsRun is on',
    by: async ({ bench, later }) => {
      await query(bench.database.url, 'ALTER SCHEMA public RENAME TO away');
      await query(bench.database.url, 'CREATE SCHEMA public');
      await query(bench.database.url, 'GRANT USAGE ON SCHEMA public TO PUBLIC');
      later(async () => {
        await query(bench.database.url, 'DROP SCHEMA public CASCADE');
        await query(bench.database.url, 'ALTER SCHEMA away RENAME TO public');
      });
      return { database: { migrations: [...paymentsMigrations], migrationsRun: true } };
    },
    check: 'migrations',
    found: /^there are no tables$/,
    fix: /^run the migrations: .* in the schema public\. The data source lists them, and the start of the application runs them$/,
  },
  {
    what: 'an index that somebody dropped',
    by: bySql(
      'ALTER INDEX payments_payments_held_idx RENAME TO dropped',
      'ALTER INDEX dropped RENAME TO payments_payments_held_idx',
    ),
    check: 'indexes',
    found: /^1 missing, 0 invalid$/,
    fix: /^create payments_payments_held_idx as the module's migrations do/,
  },
  {
    what: 'an index whose making was broken off',
    by: bySql(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'payments_payments_held_idx'::regclass`,
      `UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'payments_payments_held_idx'::regclass`,
    ),
    check: 'indexes',
    found: /^0 missing, 1 invalid$/,
    fix: /^REINDEX INDEX CONCURRENTLY payments_payments_held_idx$/,
  },
  {
    what: 'requests that wait for a standby which is not there',
    by: async () => ({ payments: { requestsWaitForStandby: true } }),
    check: 'synchronous_commit',
    found: /^requestsWaitForStandby is on, and no standby is waited for$/,
    fix: /^Name the standbys in synchronous_standby_names/,
  },
  {
    what: 'a role without one of its rights',
    by: async ({ bench, later }) => {
      const { username } = new URL(bench.database.moduleUrl);
      await query(bench.database.url, `REVOKE INSERT ON payments_events FROM ${username}`);
      later(() => query(bench.database.url, `GRANT INSERT ON payments_events TO ${username}`));
      return {};
    },
    check: 'role',
    found: /^it lacks rights$/,
    fix: /GRANT INSERT ON .*"payments_events" TO /,
  },
  {
    what: 'commits that wait for no disk',
    by: async ({ bench, later }) => {
      const { username, pathname } = new URL(bench.database.moduleUrl);
      const set = `ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)}`;
      await query(bench.database.url, `${set} SET synchronous_commit = off`);
      later(() => query(bench.database.url, `${set} SET synchronous_commit = on`));
      return {};
    },
    check: 'synchronous_commit',
    found: /^off: /,
    fix: /^ALTER ROLE \w+ SET synchronous_commit = on$/,
  },
  {
    what: "tables that are another shop's",
    by: bySql(
      `UPDATE payments_stores SET account_id = 'another_shop'`,
      `UPDATE payments_stores SET account_id = 'test_shop'`,
    ),
    check: 'store',
    found: /^the tables are another store's$/,
    fix: /the tables belong to the shop another_shop/,
  },
  {
    what: 'no scheduler',
    by: async () => ({ withoutSchedule: true }),
    check: 'sweeps',
    found: /^the scheduler is missing$/,
    fix: /import it once in the root module \(from @nestjs\/schedule\)/,
  },
  {
    what: 'deliveries of a handler that is not in the code any more',
    by: async ({ bench, later }) => {
      @Injectable()
      class Gone {
        @OnPaymentEvent('payment.pending', { id: 'shop.gone' })
        gone(): Promise<void> {
          return Promise.reject(new Error('no paper'));
        }
      }
      const host = await bench.startHost({}, [Gone]);
      await host.payments.create(orderInput());
      await eventually(
        () => query(bench.database.url, `SELECT FROM payments_deliveries WHERE handler_id = 'shop.gone'`),
        ({ length }) => length > 0,
      );
      later(async () => {
        await host.close();
        await query(bench.database.url, 'DELETE FROM payments_deliveries');
      });
      return {};
    },
    check: 'handlers',
    found: /^deliveries wait for shop\.gone, which the code of this application does not have$/,
    fix: /operator\.retireHandler\('shop\.gone', \{ by: /,
  },
  {
    what: 'a key that the service does not know',
    by: async () => ({ payments: { secretKey: 'of_yesterday' } }),
    check: 'credentials',
    found: /http:\/\/127\.0\.0\.1:\d+: .*401/,
    fix: /^Take shopId and secretKey anew from the Merchant Profile/,
  },
  {
    what: 'a service that this machine cannot reach',
    by: async () => ({ payments: { serviceUrl: 'http://127.0.0.1:1' } }),
    check: 'credentials',
    found: /^http:\/\/127\.0\.0\.1:1: /,
    fix: /^Let this process reach http:\/\/127\.0\.0\.1:1 /,
  },
  {
    what: 'a clock that is an hour wrong',
    by: async ({ bench, later }) => {
      bench.sandbox.clock.skew(3_600_000);
      later(async () => bench.sandbox.clock.skew(0));
      return {};
    },
    check: 'clocks',
    found: /^the service's is \d+\u00a0(min|h) ahead of this process's$/,
    fix: /^Have NTP/,
  },
  {
    what: 'senders that are not the service',
    by: async () => ({ payments: { notificationSenders: ['203.0.113.0/24'] } }),
    check: 'senders',
    found: /185\.71\.76\.0\/27.* would be refused; 203\.0\.113\.0\/24 may send too/,
    fix: /^Leave notificationSenders out/,
  },
  {
    what: "a proxy that is one of the service's own addresses",
    by: async () => ({ payments: { trustedProxies: ['127.0.0.1', '185.71.76.0/27'] } }),
    check: 'proxies',
    found: /^185\.71\.76\.0\/27: proxy and sender at once/,
    fix: /^Name only your own reverse proxies in trustedProxies/,
  },
  {
    what: 'a notification URL on a port that the service does not notify',
    by: async () => ({ url: 'https://127.0.0.1:3000/webhooks/payments' }),
    check: 'webhook',
    found: /^port 3000: the service notifies ports 443 and 8443 alone$/,
    fix: /enter that in the Merchant Profile/,
  },
  {
    what: 'a notification URL where nobody listens',
    by: async () => ({ url: WEBHOOK }),
    check: 'webhook',
    found: /ECONNREFUSED 127[.\d]+:8443/,
    fix: /let the port through the firewall/,
  },
  {
    what: 'a certificate that has ended',
    by: async (stage) => ({ url: await answering(stage, 403, expired) }),
    check: 'webhook',
    found: /^the certificate of 127[.\d]+:8443 is valid from .* to 20/,
    fix: /^Renew it\.$/,
  },
  {
    what: 'a path that is not the webhook',
    by: async (stage) => ({ url: await answering(stage, 404) }),
    check: 'webhook',
    found: /answers 404, and not as the module does$/,
    fix: /the path at which notifications are taken/,
  },
  {
    what: 'an address that leads elsewhere',
    by: async (stage) => ({
      url: await answering(stage, 301, selfSigned, { Location: 'https://www.shop.example/' }),
    }),
    check: 'webhook',
    found: /answers 301/,
    fix: /enter the address that it leads to, https:\/\/www\.shop\.example\//,
  },
];

interface Checked {
  readonly name: string;
  readonly state: string;
  readonly found: string;
  readonly fixes: readonly string[];
}

describe('doctor', () => {
  let bench: Bench;
  const undo: (() => Promise<unknown>)[] = [];
  const stage = (): Stage => ({ bench, later: (work) => void undo.push(work) });
  beforeAll(async () => {
    bench = await openBench();
    // The server of the tests waits for no disk.
    const { username, pathname } = new URL(bench.database.moduleUrl);
    await query(
      bench.database.url,
      `ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)} SET synchronous_commit = on`,
    );
    await (await bench.startHost({}, [PaidOrders])).close();
  });
  afterEach(async () => {
    for (const work of undo.splice(0).toReversed()) await work();
  });
  afterAll(() => bench.close());

  const appWith = (difference: Difference) => appBeside(bench, { providers: [PaidOrders], ...difference });

  it('finds nothing in a set-up that is well', async () => {
    const url = await answering(stage(), 403);
    const { code, out } = await command(appWith({}), ['doctor', '--webhook-url', url]);
    expect(out.split('\n').filter((line) => !line.startsWith('✔'))).toEqual(['']);
    expect(out).toContain('✔ configuration: Shop test_shop at 127.0.0.1');
    expect(out).toContain(`✔ webhook: ${WEBHOOK} answers as the module does, by TLSv1.3; the certificate is`);
    expect(code).toBe(0);
  });

  it('says of a demo store that its payments move no money', async () => {
    const { code } = await command(appWith({}), ['doctor']);
    const host = await bench.startHost({}, [PaidOrders]);
    await host.payments.create(orderInput());
    await host.close();
    const { out } = await command(appWith({}), ['doctor']);
    expect(out).toMatch(
      /✔ credentials: .* knows shop test_shop .* last payment moved no money: it is a demo store/,
    );
    expect(code).toBe(0);
  });

  it('has the checks and the exit codes that docs/command-line.md lists', async () => {
    const page = await readFile(join(workspace, 'docs/command-line.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `([\w ]+)` \| [^|]+ \|$/gm)].map(([, name]) => name);
    const { out } = await command(appWith({}), ['doctor', '--json']);
    const { checks }: { checks: Checked[] } = JSON.parse(out);
    expect(listed).toEqual(expect.arrayContaining(checks.map(({ name }) => name)));
    const codes = [...page.matchAll(/^\| (\d) \|/gm)].map(([, code]) => Number(code));
    expect(codes).toEqual(Object.values(exitCodes));
  });

  it('is asked about at least fourteen broken set-ups', () => {
    expect(broken.length).toBeGreaterThanOrEqual(14);
    expect(new Set(broken.map(({ check }) => check)).size).toBe(14);
  });

  it.each(broken)('finds $what, and says what repairs it', async ({ by, check, found, fix }) => {
    const { url, ...difference } = await by(stage());
    const flags = url === undefined ? [] : ['--webhook-url', url];
    const app = appWith(difference);
    const { code, out } = await command(app, ['doctor', '--json', ...flags]);
    const { checks }: { checks: Checked[] } = JSON.parse(out);
    expect(checks.filter(({ state }) => state === 'broken')).toEqual([
      {
        name: check,
        state: 'broken',
        found: expect.stringMatching(found),
        fixes: [expect.stringMatching(fix)],
      },
    ]);
    expect(code).toBe(1);
    const told = await command(app, ['doctor', ...flags]);
    expect(told.out).toContain(`✖ ${check}: `);
    expect(told.out.split('\n').filter((line) => line.startsWith('✖'))).toHaveLength(1);
    for (const { fixes } of checks) for (const one of fixes) expect(told.out).toContain(`    fix: ${one}\n`);
  });

  it('knows an address whose proxy lets anybody speak for the service', async () => {
    const server = createServer(selfSigned, (request, response) => {
      const isBelieved = request.headers['x-forwarded-for'] !== undefined;
      response.writeHead(isBelieved ? 400 : 403).end('This address may not send notifications.');
    });
    server.listen(8443, ownLoopback);
    await once(server, 'listening');
    undo.push(() => {
      server.closeAllConnections();
      server.close();
      return once(server, 'close');
    });
    const { out } = await command(appWith({}), ['doctor', '--webhook-url', WEBHOOK]);
    expect(out).toMatch(/✖ webhook: whoever writes an address of the service's into X-Forwarded-For/);
  });

  it('writes nothing, and asks the service only for the last payment', async () => {
    const before = await rows();
    const asked = bench.sandbox.requests.list().length;
    await command(appWith({}), ['doctor']);
    expect(await rows()).toEqual(before);
    expect(bench.sandbox.requests.list().length).toBeGreaterThan(asked);
  });
  const rows = () =>
    query(
      bench.database.url,
      `SELECT (SELECT count(*) FROM payments_stores) AS stores, (SELECT count(*) FROM payments_handlers) AS handlers,
         (SELECT count(*) FROM payments_events) AS events`,
    );
});
