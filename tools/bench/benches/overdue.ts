import { setTimeout as delay } from 'node:timers/promises';
import { compare, type Bench } from '../bench.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Sender } from '../contenders/sender.js';
import type { Service } from '../contenders/service.js';
import { median, ratioAtMost } from '../figures.js';
import { loadPayments } from '../load/load.js';
import { epochMs } from '../stage/call.js';
import type { Stage } from '../stage/stage.js';

const WITHOUT = 'no poll is due';
const WITH = 'polls are overdue';
const HOUR_MS = 3_600_000;
const LOOK_MS = 2;
/** Who is not known by then counts as this late. */
const GIVE_UP_MS = 30_000;
/** What polls may make at once of the default rate. */
const POLLS_AT_ONCE = 50;

export const overdue: Bench = {
  name: 'overdue',
  what: 'how late a notified payment is where polls are overdue',
  notes: [
    'At the default rate of 20 re-reads a second and 100 at once, with a tick of half a second; the polls have used what they may before the first buyer pays.',
    `Buyers pay one after the other; each is late from the notification's sending until the payment is known as paid, and the figure is the median. Who is not known after ${GIVE_UP_MS / 1_000} s counts as that late.`,
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const sender = await stage.start<Sender>('contenders/sender', {});
    const serviceUrl = await service.steps.url();
    const polls = stage.size(5_000, 5_000, 100);
    const buyers = stage.size(20, 10, 2);
    const round = async (due: number) => {
      const { host, client } = await shop(stage, serviceUrl);
      const url = await host.steps.webhookUrl();
      const open = { status: 'pending', withHistory: true } as const;
      if (due > 0) await loadPayments(client, { ...open, count: due, dueAt: `now() + interval '1 hour'` });
      const paying = await loadPayments(client, {
        ...open,
        count: buyers,
        dueAt: `now() + interval '1 day'`,
      });
      await service.steps.forget();
      await host.steps.setOffset(HOUR_MS);
      while ((await service.steps.counts()).requests < Math.min(due, POLLS_AT_ONCE)) await delay(LOOK_MS);
      const late: number[] = [];
      for (const { id, serviceId } of paying) {
        const startedAt = epochMs();
        await sender.steps.storm({ url, ids: [serviceId], count: 1, connections: 1 });
        const isKnown = async () => {
          const { rowCount } = await client.query(
            `SELECT FROM payments_payments WHERE id = $1 AND status = 'succeeded'`,
            [id],
          );
          return rowCount === 1;
        };
        while (!(await isKnown()) && epochMs() - startedAt < GIVE_UP_MS) await delay(LOOK_MS);
        late.push(epochMs() - startedAt);
      }
      await host.close();
      return { ms: median(late) };
    };
    const samples = await stage.race(
      `${polls} overdue polls`,
      [
        { name: WITHOUT, run: () => round(0) },
        { name: WITH, run: () => round(polls) },
      ],
      // Each round has a process and a database of its own.
      { warmUps: 0 },
    );
    return compare(samples, {
      case: `${polls} overdue polls, a paid payment`,
      metric: 'ms',
      unit: 'ms',
      against: WITHOUT,
      bars: { [WITH]: ratioAtMost(2) },
    });
  },
};

async function shop(stage: Stage, serviceUrl: string) {
  const databaseUrl = await stage.migrated('overdue');
  const settings: HoldfastSettings = {
    databaseUrl,
    serviceUrl,
    poolSize: 10,
    options: { sweeps: { intervalMs: 500 } },
  };
  return {
    host: await stage.start<Holdfast>('contenders/holdfast', settings),
    client: await stage.client(databaseUrl),
  };
}
