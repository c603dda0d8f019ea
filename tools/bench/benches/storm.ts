import { compare, type Bench } from '../bench.js';
import type { BareRoute } from '../contenders/bare-route.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Sender } from '../contenders/sender.js';
import type { Service } from '../contenders/service.js';
import { CREATE_BARE_NOTIFICATIONS } from '../contenders/statements.js';
import { atMost } from '../figures.js';
import { loadPayments, unload } from '../load/load.js';

const OURS = 'Holdfast';
const BARE = 'bare Nest route, one INSERT';
const PAYMENTS = 100;
const PER_SECOND = 20;
const BURST = 100;
const MIB = 1024 * 1024;

export const storm: Bench = {
  name: 'storm',
  what: `a storm of notifications for ${PAYMENTS} payments, and a service that answers 429`,
  notes: [
    'The service still shows the payments as pending, so that each notification causes another re-read.',
    `The rate limit of re-reads is the default: ${BURST} at once and ${PER_SECOND} a second, counted at the service from its first request to its last.`,
    'Memory: the most the process held resident in the storm, above what it held before it, after a first storm that is not counted; and what it still holds after a garbage collection. Node collects when it sees fit, so the bare route, which keeps nothing, grows as well.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    // Every re-read finds nothing new: the worst that notifications can do.
    await service.steps.showStrangers('pending');
    const sender = await stage.start<Sender>('contenders/sender', {});
    const databaseUrl = await stage.migrated('storm');
    const settings: HoldfastSettings = {
      databaseUrl,
      serviceUrl: await service.steps.url(),
      poolSize: 10,
      options: { sweeps: { intervalMs: 500 }, rereads: { perSecond: PER_SECOND, burst: BURST } },
    };
    const host = await stage.start<Holdfast>('contenders/holdfast', settings);
    const client = await stage.client(databaseUrl);
    const url = await host.steps.webhookUrl();
    const count = stage.size(10_000, 2_000, 300);
    const bare = await stage.start<BareRoute>('contenders/bare-route', {
      databaseUrl: await stage.migrated('storm_bare', CREATE_BARE_NOTIFICATIONS),
      poolSize: 10,
      adapter: 'express',
    });
    const bareUrl = await bare.steps.webhookUrl();
    const bareStorm = async () => {
      const before = await bare.residentMemory();
      await bare.steps.watchMemory();
      const ids = Array.from({ length: PAYMENTS }, (_, index) => `bare-${index}`);
      await sender.steps.storm({ url: bareUrl, ids, count, connections: 32 });
      const most = await bare.steps.mostMemory();
      return { memory: (most - before) / MIB, kept: ((await bare.residentMemory()) - before) / MIB };
    };
    const storms = async (tooMany: boolean) => {
      const payments = await loadPayments(client, {
        count: PAYMENTS,
        status: 'pending',
        // Its polls are far away: every re-read is for a notification.
        dueAt: `now() + interval '1 day'`,
        withHistory: true,
      });
      await service.steps.forget();
      if (tooMany) await service.steps.refuse(1_000_000);
      const before = await host.residentMemory();
      await host.steps.watchMemory();
      const { refused } = await sender.steps.storm({
        url,
        ids: payments.map(({ serviceId }) => serviceId),
        count,
        connections: 32,
      });
      const most = await host.steps.mostMemory();
      const { requests, spanMs } = await service.steps.counts();
      await service.steps.refuse(0);
      await unload(client);
      return {
        requests,
        share: requests / (BURST + (PER_SECOND * spanMs) / 1_000),
        memory: (most - before) / MIB,
        kept: ((await host.residentMemory()) - before) / MIB,
        refused,
      };
    };
    const samples = await stage.race(`${count} notifications`, [
      { name: OURS, run: () => storms(false) },
      { name: `${OURS}, service answers 429`, run: () => storms(true) },
      { name: BARE, run: bareStorm },
    ]);
    const bars = { [OURS]: atMost(1), [`${OURS}, service answers 429`]: atMost(1) };
    const memory = { [OURS]: atMost(32), [`${OURS}, service answers 429`]: atMost(32) };
    return [
      ...compare(samples, { case: 'requests', metric: 'requests', unit: 'requests' }),
      ...compare(samples, { case: 'part of the rate limit', metric: 'share', unit: '', bars }),
      ...compare(samples, { case: 'resident memory', metric: 'memory', unit: 'MiB', bars: memory }),
      ...compare(samples, { case: 'resident memory afterwards', metric: 'kept', unit: 'MiB' }),
      ...compare(samples, { case: 'notifications answered 503 first', metric: 'refused', unit: 'requests' }),
    ];
  },
};
