import { compare, type Bench } from '../bench.js';
import type { AdapterName } from '../contenders/adapter.js';
import type { BareRoute } from '../contenders/bare-route.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Sender } from '../contenders/sender.js';
import type { Service } from '../contenders/service.js';
import { CREATE_BARE_NOTIFICATIONS } from '../contenders/statements.js';
import { ratioAtLeast, ratioAtMost, type Figure } from '../figures.js';
import { unload } from '../load/load.js';
import type { Stage } from '../stage/stage.js';

const POOL = 10;
const CONNECTIONS = 32;
const BARE = 'bare Nest route, one INSERT';
const OURS = 'Holdfast';
const SWEEPING = 'Holdfast, sweeping too';

export const intake: Bench = {
  name: 'intake',
  what: 'notifications taken, 32 connections',
  notes: [
    'The bare route is a Nest controller that inserts what it receives by the same TypeORM data source: it checks no senders, limits neither bodies nor memory, and stores a repeat as another row.',
    'Holdfast with its door (protectWebhook), sender check and deadline, in a process that only serves web requests (sweeps: false); beside it one that sweeps as well, and checks at once whether it knows the notified payments.',
    '“100 hot” are notifications of 100 objects again and again; all others are of an object each.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const serviceUrl = await service.steps.url();
    const sender = await stage.start<Sender>('contenders/sender', {});
    const figures: Figure[] = [];
    for (const adapter of ['express', 'fastify'] as const) {
      const [ours, bare] = [
        await holdfast(stage, adapter, serviceUrl, false),
        await bareRoute(stage, adapter),
      ];
      const sweeping = adapter === 'express' ? await holdfast(stage, adapter, serviceUrl, true) : null;
      for (const objects of ['distinct', 'hot'] as const) {
        const count = stage.size(6_000, 1_000, 100);
        const send = (url: string) => sender.steps.send({ url, count, connections: CONNECTIONS, objects });
        const what = `${adapter === 'express' ? 'Express' : 'Fastify'}, ${objects === 'hot' ? '100 hot' : 'distinct'}`;
        const samples = await stage.race(what, [
          { name: BARE, run: () => bare.round(send) },
          { name: OURS, run: () => ours.round(send) },
          ...(sweeping ? [{ name: SWEEPING, run: () => sweeping.round(send) }] : []),
        ]);
        figures.push(
          ...compare(samples, {
            case: what,
            metric: 'perSecond',
            unit: '/s',
            against: BARE,
            bars: { [OURS]: ratioAtLeast(1, 1.4) },
          }),
          ...compare(samples, { case: `${what}, p50`, metric: 'p50', unit: 'ms', against: BARE }),
          ...compare(samples, {
            case: `${what}, p99`,
            metric: 'p99',
            unit: 'ms',
            against: BARE,
            bars: { [OURS]: ratioAtMost(1.1) },
          }),
        );
      }
    }
    return figures;
  },
};

type Send = (url: string) => Promise<{ perSecond: number; p50: number; p99: number }>;

async function holdfast(stage: Stage, adapter: AdapterName, serviceUrl: string, sweeps: boolean) {
  const databaseUrl = await stage.migrated(`intake_${adapter}`);
  const settings: HoldfastSettings = {
    databaseUrl,
    serviceUrl,
    poolSize: POOL,
    adapter,
    options: sweeps ? {} : { sweeps: false },
  };
  const host = await stage.start<Holdfast>('contenders/holdfast', settings);
  const [url, client] = [await host.steps.webhookUrl(), await stage.client(databaseUrl)];
  return {
    async round(send: Send) {
      const sample = await send(url);
      await unload(client);
      return sample;
    },
  };
}

async function bareRoute(stage: Stage, adapter: AdapterName) {
  const databaseUrl = await stage.empty(`intake_bare_${adapter}`);
  const client = await stage.client(databaseUrl);
  await client.query(CREATE_BARE_NOTIFICATIONS);
  const host = await stage.start<BareRoute>('contenders/bare-route', {
    databaseUrl,
    poolSize: POOL,
    adapter,
  });
  const url = await host.steps.webhookUrl();
  return {
    async round(send: Send) {
      const sample = await send(url);
      await client.query('TRUNCATE bare_notifications');
      return sample;
    },
  };
}
