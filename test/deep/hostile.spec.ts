import { randomInt } from 'node:crypto';
import { events } from '../../tools/hostile/bodies.js';
import { genuineIds } from '../../tools/hostile/requests.js';
import { httpAdapters } from '../hosts/host.js';
import { attack, newTally } from '../security/hostile/attack.js';
import { figures } from '../security/hostile/figures.js';
import { startHostProcess, type HostProcess } from '../security/hostile/host-process.js';
import { changes, countRows, loadState } from '../security/hostile/state.js';
import { testAccount } from '../support/account.js';
import { openBench, orderInput, type Bench } from '../support/payments-host.js';

/** `npm run test:hostile` sends more requests, and prints figures: tools/hostile. */
const asked = process.env['HOSTILE_REQUESTS'];
const requests = Number(asked ?? 3_000);
const seed = Number(process.env['HOSTILE_SEED'] ?? randomInt(1_000_000_000));

const MB = 2 ** 20;
/** From the middle to the end: of 100,000 requests at two hosts, each may leave some 200 bytes at most. */
const GROWTH_BYTES = 5 * MB;
/** By then code is compiled, and pools and caches are filled. */
const WARM_UP = 0.1;

describe('a webhook under attack', () => {
  let bench: Bench;
  const hosts: HostProcess[] = [];
  beforeAll(async () => {
    bench = await openBench();
  });
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    await bench.close();
  });

  /** Payments in every state, and a refund; returns the service's ids. */
  async function makeBooks(): Promise<string[]> {
    const host = await bench.startHost({ sweeps: false });
    // Only the attack arrives at the hosts.
    bench.sandbox.setNotifyUrl('http://127.0.0.1:1/');
    const { payments } = host;
    const ids: string[] = [];
    const make = async (outcome: 'succeed' | 'abandon', capture = true): Promise<string> => {
      const { id, serviceId } = await payments.create({ ...orderInput(), capture });
      ids.push(serviceId ?? '');
      bench.sandbox.payments.pay(serviceId ?? '', { outcome });
      await payments.refresh(id);
      return id;
    };
    for (let count = 0; count < 6; count += 1) await make('abandon');
    await make('succeed', false);
    const canceled = await make('succeed', false);
    await payments.cancel(canceled);
    await payments.refresh(canceled);
    await make('succeed');
    const refunded = await make('succeed');
    await payments.refund(refunded, { refundKey: 'return' });
    await payments.refresh(refunded);
    await host.close();
    return ids;
  }

  async function startHosts(): Promise<void> {
    const options = {
      ...testAccount,
      serviceUrl: bench.sandbox.url,
      trustedProxies: ['127.0.0.1/32'],
      retentionMs: false,
    };
    for (const [ADAPTER] of httpAdapters)
      hosts.push(
        await startHostProcess({
          DATABASE_URL: bench.database.moduleUrl,
          PAYMENTS: JSON.stringify(options),
          ADAPTER,
        }),
      );
  }

  const look = async () => ({
    state: await loadState(bench),
    rows: await countRows(bench),
  });
  const heldBytes = () => Promise.all(hosts.map((host) => host.heldBytes()));

  it(
    'answers none with 5xx, changes no state, and uses a bounded number of rows and bytes',
    async () => {
      const ids = await makeBooks();
      await startHosts();
      const target = { ports: hosts.map(({ port }) => port), ids, seed };
      const tally = newTally();
      const before = await look();
      const held: number[][] = [];
      let from = 0;
      for (const share of [WARM_UP, 0.5, 1]) {
        const to = Math.ceil(requests * share);
        await attack({ ...target, from, to }, tally);
        held.push(await heldBytes());
        from = to;
      }
      const after = await look();
      const changed = changes(before.state, after.state);
      const bounds: Record<string, number> = {
        ...before.rows,
        notifications: genuineIds(ids) * events.length,
      };
      const logged = hosts.reduce((sum, host) => sum + host.logged.length, 0);
      if (asked !== undefined)
        process.stdout.write(
          figures({ seed, tally, changed, before: before.rows, after: after.rows, bounds, held, logged }),
        );

      expect({ seed, findings: tally.findings, changed }).toEqual({ seed, findings: [], changed: [] });
      for (const [table, bound] of Object.entries(bounds))
        if ((after.rows[table] ?? NaN) > bound) throw new Error(`${table} has ${after.rows[table]} rows.`);
      const [, middle = [], end = []] = held;
      for (const [index, bytes] of end.entries())
        expect(bytes).toBeLessThan((middle[index] ?? NaN) + GROWTH_BYTES);
    },
    120_000 + requests * 20,
  );
});
