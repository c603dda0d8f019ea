import type { Client } from 'pg';

import { compare, type Bench } from '../bench.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import type { Figure } from '../figures.js';
import { unload } from '../load/load.js';
import { Server } from '../stage/server.js';

const POOL = 10;
const WARM_UPS = 5;
const NOTHING_WAITS = 'Holdfast, nothing waits for the standby';
const arrangements = [
  { name: NOTHING_WAITS, synchronousCommit: 'local', requestsWaitForStandby: false },
  {
    name: 'Holdfast, requestsWaitForStandby',
    synchronousCommit: 'local',
    requestsWaitForStandby: true,
  },
  { name: 'Holdfast, every commit waits', synchronousCommit: 'on', requestsWaitForStandby: false },
] as const;

export const standby: Bench = {
  name: 'standby',
  what: 'payments created beside a synchronous standby',
  notes: [
    'A server of its own with a standby on the same machine, whose stream passes a proxy: in a shop a network lies between the two.',
    'synchronous_commit is local for the first two and on for the third. A create commits before its request and after the answer; with requestsWaitForStandby the first of the two waits.',
  ],
  async run(stage) {
    const server = await Server.startWithStandby(stage.cleanUp);
    const service = await stage.start<Service>('contenders/service', account);
    const serviceUrl = await service.steps.url();
    const contenders = [];
    for (const { name, synchronousCommit, requestsWaitForStandby } of arrangements) {
      const databaseUrl = await server.migrated('standby');
      const client = await stage.client(databaseUrl);
      await commitAs(client, synchronousCommit);
      const settings: HoldfastSettings = {
        databaseUrl,
        serviceUrl,
        poolSize: POOL,
        options: { requestsWaitForStandby },
      };
      const holdfast = await stage.start<Holdfast>('contenders/holdfast', settings);
      contenders.push({ name, client, holdfast });
    }
    const figures: Figure[] = [];
    for (const latencyMs of stage.latencies) {
      await service.steps.setLatency(latencyMs);
      const count = latencyMs === 0 ? stage.size(300, 50, 5) : stage.size(80, 20, 3);
      const samples = await stage.race(
        `${latencyMs} ms`,
        contenders.map(({ name, client, holdfast }) => ({
          name,
          run: async () => {
            const sample = await holdfast.steps.creates({ count, workers: 8 });
            await unload(client);
            return sample;
          },
        })),
        { warmUps: WARM_UPS },
      );
      const what = `service latency ${latencyMs} ms`;
      figures.push(
        ...compare(samples, {
          case: `${what}, p50 of one after the other`,
          metric: 'p50',
          unit: 'ms',
          against: NOTHING_WAITS,
        }),
        ...compare(samples, {
          case: `${what}, 8 at once`,
          metric: 'perSecond',
          unit: '/s',
          against: NOTHING_WAITS,
        }),
      );
    }
    return figures;
  },
};

/** For the connections that are opened from then on. */
async function commitAs(client: Client, setting: string): Promise<void> {
  await client.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = ${setting}', current_database()); END $$`,
  );
}
