import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { percentile } from '../../common/percentile.js';
import { compare, type Bench } from '../bench.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Sender } from '../contenders/sender.js';
import type { Service } from '../contenders/service.js';
import { atMost, ratioAtMost, type Bar, type Figure } from '../figures.js';
import { loadPayments } from '../load/load.js';
import type { Samples } from '../rounds.js';
import type { Child } from '../stage/child.js';
import type { Stage } from '../stage/stage.js';

const BUYERS = 20;
/** A buyer's time to pay, and to order again. */
const PAUSE_MS = 250;
/** Somebody waits for the locked payment too. */
const RELOAD_MS = 500;
const RETURN_PAGES = 50;
const NOTIFIED = 20;
const NOTIFICATIONS_PER_SECOND = 40;
const FREE = 'nothing is locked';
const LOCKED = 'a handler holds the locks';
const ALONE = 'nobody waits';
const BESIDE = `${RETURN_PAGES} return pages wait`;

export const locked: Bench = {
  name: 'locked',
  what: 'how late others are where a handler has a payment locked',
  notes: [
    'The handler refunds the payment in its own transaction, so it holds the locks of order, payment and queue until it ends. Where nothing is locked it ends at once; all else is the same.',
    `Buyers: ${BUYERS} at once, each creates a payment, pays it ${PAUSE_MS} ms later, is back at the return page at once (\`refresh\`), and begins again, for as long as the handler works. Meanwhile the locked payment's buyer reloads its return page, and its notification is repeated.`,
    `Notifications: ${NOTIFICATIONS_PER_SECOND} a second, of ${NOTIFIED} other payments that stay pending, while a payment is locked; alone, or beside ${RETURN_PAGES} calls of \`refresh\` for the locked one, all begun at the first notification.`,
  ],
  async run(stage) {
    const shop = await Shop.open(stage);
    return [...(await buyers(stage, shop)), ...(await notifications(stage, shop))];
  },
};

async function buyers(stage: Stage, { host, service, begin }: Shop): Promise<Figure[]> {
  const lockedMs = stage.size(14_000, 4_000, 500);
  const round = async (workMs: number) => {
    const held = await begin(workMs);
    const until = performance.now() + lockedMs;
    const isOver = () => performance.now() > until;
    const creates: number[] = [];
    const returns: number[] = [];
    const buyer = async (): Promise<void> => {
      while (!isOver()) {
        const { id, serviceId, ms } = await host.steps.create({ reference: randomUUID() });
        creates.push(ms);
        await delay(PAUSE_MS);
        const [, loaded] = await Promise.all([service.steps.pay(serviceId), host.steps.returnPage({ id })]);
        returns.push(loaded);
        await delay(PAUSE_MS);
      }
    };
    const heldBuyer = async (): Promise<void> => {
      while (!isOver()) {
        await Promise.all([service.steps.pay(held.serviceId), host.steps.returnPage(held)]);
        await delay(RELOAD_MS);
      }
    };
    await Promise.all([...Array.from({ length: BUYERS }, buyer), heldBuyer()]);
    return {
      createP50: percentile(creates, 50),
      createP99: percentile(creates, 99),
      returnP50: percentile(returns, 50),
      returnP99: percentile(returns, 99),
    };
  };
  const samples = await stage.race(`${BUYERS} buyers`, [
    { name: FREE, run: () => round(0) },
    { name: LOCKED, run: () => round(lockedMs) },
  ]);
  const bar = { [LOCKED]: ratioAtMost(2) };
  return [
    ...inMs(samples, `${BUYERS} buyers, create, p50`, 'createP50', FREE, bar),
    ...inMs(samples, `${BUYERS} buyers, create, p99`, 'createP99', FREE, bar),
    ...inMs(samples, `${BUYERS} buyers, return page, p50`, 'returnP50', FREE, bar),
    ...inMs(samples, `${BUYERS} buyers, return page, p99`, 'returnP99', FREE, bar),
  ];
}

async function notifications(stage: Stage, { host, service, client, begin }: Shop): Promise<Figure[]> {
  const seconds = stage.size(10, 4, 0.3);
  const count = Math.ceil(NOTIFICATIONS_PER_SECOND * seconds);
  const sender = await stage.start<Sender>('contenders/sender', {});
  await service.steps.showStrangers('pending');
  const known = await loadPayments(client, {
    count: NOTIFIED,
    status: 'pending',
    // Its polls are far away: every re-read is for a notification.
    dueAt: `now() + interval '1 day'`,
    withHistory: true,
  });
  const order = {
    url: await host.steps.webhookUrl(),
    ids: Array.from({ length: count }, (_, index) => known[index % NOTIFIED]?.serviceId ?? ''),
    perSecond: NOTIFICATIONS_PER_SECOND,
  };
  const round = async (returnPages: number) => {
    const held = await begin(1_000 * seconds);
    const waiting = host.steps.returnPage({ ...held, count: returnPages });
    const sample = await sender.steps.steadily(order);
    await waiting;
    // Until the handler has ended in any case.
    await host.steps.returnPage(held);
    return sample;
  };
  const samples = await stage.race('notifications', [
    { name: ALONE, run: () => round(0) },
    { name: BESIDE, run: () => round(RETURN_PAGES) },
  ]);
  return [
    ...inMs(samples, 'notification, p50', 'p50', ALONE),
    ...inMs(samples, 'notification, p99', 'p99', ALONE, { [BESIDE]: ratioAtMost(2) }),
    ...compare(samples, {
      case: 'notification, answered otherwise than 200',
      metric: 'refused',
      unit: 'requests',
      bars: { [ALONE]: atMost(0), [BESIDE]: atMost(0) },
    }),
  ];
}

function inMs(
  samples: Samples,
  what: string,
  metric: string,
  against: string,
  bars: Readonly<Record<string, Bar>> = {},
): Figure[] {
  return compare(samples, { case: what, metric, unit: 'ms', against, bars });
}

class Shop {
  private constructor(
    readonly host: Child<Holdfast>,
    readonly service: Child<Service>,
    readonly client: Client,
  ) {}

  static async open(stage: Stage): Promise<Shop> {
    const service = await stage.start<Service>('contenders/service', account);
    const databaseUrl = await stage.migrated('locked');
    const settings: HoldfastSettings = {
      databaseUrl,
      serviceUrl: await service.steps.url(),
      poolSize: 10,
      handlers: 'refunds and works on',
      options: { sweeps: { intervalMs: 500 } },
    };
    const host = await stage.start<Holdfast>('contenders/holdfast', settings);
    await service.steps.setNotifyUrl(await host.steps.webhookUrl());
    return new Shop(host, service, await stage.client(databaseUrl));
  }

  /** A paid payment whose handler has just refunded it, and works on for so long. */
  readonly begin = async (workMs: number): Promise<{ id: string; serviceId: string }> => {
    const reference = randomUUID();
    await this.host.steps.refundOncePaid({ reference, workMs });
    const { id, serviceId } = await this.host.steps.create({ reference });
    await this.service.steps.pay(serviceId);
    await this.host.steps.handled(id);
    return { id, serviceId };
  };
}
