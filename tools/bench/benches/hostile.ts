import { documentedProfile } from '@holdfast/payments';
import { compare, type Bench } from '../bench.js';
import type { AdapterName } from '../contenders/adapter.js';
import type { Attacker, AttackKind } from '../contenders/attacker.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Sender } from '../contenders/sender.js';
import type { Service } from '../contenders/service.js';
import { atMost, ratioAtMost, type Figure } from '../figures.js';
import { loadPayments } from '../load/load.js';
import type { Stage } from '../stage/stage.js';

const PAYMENTS = 20;
const ATTACKS_PER_SECOND = 50;
const INNOCENT_PER_SECOND = 40;
const INNOCENT_SENDER = '185.71.76.1';
const PLAIN = 'beside plain refused requests';
const HOSTILE = 'beside hostile requests';

export const hostile: Bench = {
  name: 'hostile',
  what: 'an innocent notification beside hostile requests',
  notes: [
    `${INNOCENT_PER_SECOND} innocent notifications a second, of ${PAYMENTS} known payments, beside ${ATTACKS_PER_SECOND} requests a second that are refused: hostile ones as npm run test:hostile sends them, or plain ones from an address that is not the service's.`,
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    await service.steps.showStrangers('pending');
    const serviceUrl = await service.steps.url();
    const sender = await stage.start<Sender>('contenders/sender', {});
    const attacker = await stage.start<Attacker>('contenders/attacker', {});
    const seconds = stage.size(5, 2, 0.3);
    const figures: Figure[] = [];
    for (const [adapter, what] of [
      ['express', 'Express'],
      ['fastify', 'Fastify'],
    ] as const) {
      const { url, ids } = await attacked(stage, adapter, serviceUrl);
      const count = Math.ceil(INNOCENT_PER_SECOND * seconds);
      const innocent = {
        url,
        ids: Array.from({ length: count }, (_, index) => ids[index % ids.length] ?? ''),
        perSecond: INNOCENT_PER_SECOND,
        forwardedFor: INNOCENT_SENDER,
      };
      const attack = {
        port: Number(new URL(url).port),
        ids,
        count: Math.ceil(ATTACKS_PER_SECOND * seconds),
        perSecond: ATTACKS_PER_SECOND,
      };
      const beside = async (kind: AttackKind) => {
        const [sample] = await Promise.all([
          sender.steps.steadily(innocent),
          attacker.steps.attack({ ...attack, kind }),
        ]);
        return sample;
      };
      const samples = await stage.race(what, [
        { name: PLAIN, run: () => beside('plain') },
        { name: HOSTILE, run: () => beside('hostile') },
      ]);
      figures.push(
        ...compare(samples, { case: `${what}, p50`, metric: 'p50', unit: 'ms', against: PLAIN }),
        ...compare(samples, {
          case: `${what}, p99`,
          metric: 'p99',
          unit: 'ms',
          against: PLAIN,
          bars: { [HOSTILE]: ratioAtMost(2) },
        }),
        ...compare(samples, {
          case: `${what}, answered otherwise than 200`,
          metric: 'refused',
          unit: 'requests',
          bars: { [PLAIN]: atMost(0), [HOSTILE]: atMost(0) },
        }),
      );
    }
    return figures;
  },
};

/** A shop behind a proxy, with payments; returns its webhook's address and the service's ids of the payments. */
async function attacked(stage: Stage, adapter: AdapterName, serviceUrl: string) {
  const databaseUrl = await stage.migrated(`hostile_${adapter}`);
  const settings: HoldfastSettings = {
    databaseUrl,
    serviceUrl,
    poolSize: 10,
    adapter,
    options: {
      trustedProxies: ['127.0.0.1/32'],
      notificationSenders: [...documentedProfile.notificationSenders],
    },
  };
  const host = await stage.start<Holdfast>('contenders/holdfast', settings);
  const payments = await loadPayments(await stage.client(databaseUrl), {
    count: PAYMENTS,
    status: 'pending',
    // Its polls are far away: every re-read is for a notification.
    dueAt: `now() + interval '1 day'`,
    withHistory: true,
  });
  return { url: await host.steps.webhookUrl(), ids: payments.map(({ serviceId }) => serviceId) };
}
