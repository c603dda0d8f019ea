/** Sends notifications as the service does, over this many connections kept open, each with one in progress. */
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';

import { percentile } from '../../common/percentile.js';
import { atOnce, perSecond, timed } from './at-once.js';
import { atRate } from './at-rate.js';
import { notification } from './notification.js';
import { post } from './post.js';

export type Sender = Awaited<ReturnType<typeof open>>;

export async function open() {
  const hot = Array.from({ length: 100 }, () => randomUUID());

  return {
    async send(order: { url: string; count: number; connections: number; objects: 'distinct' | 'hot' }) {
      const { url, count, connections, objects } = order;
      // Not kept for the next round: a server closes what rests for five seconds, at times just when the next request leaves.
      const agent = new Agent({ keepAlive: true, maxSockets: connections });
      const bodies = Array.from({ length: count }, (_, index) =>
        notification(objects === 'hot' ? (hot[index % hot.length] ?? '') : randomUUID()),
      );
      const times: number[] = [];
      const target = new URL(url);
      const ms = await timed(() =>
        atOnce(connections, bodies, async (body) => {
          const startedAt = performance.now();
          const status = await post(target, body, agent);
          if (status !== 200) throw new Error(`A notification was answered ${status}.`);
          times.push(performance.now() - startedAt);
        }),
      );
      agent.destroy();
      return { perSecond: perSecond(count, ms), p50: percentile(times, 50), p99: percentile(times, 99) };
    },

    /** Sends these notifications, each again and again until it is accepted. Returns how many were refused meanwhile. */
    async storm(order: { url: string; ids: readonly string[]; count: number; connections: number }) {
      const { url, ids, count, connections } = order;
      const agent = new Agent({ keepAlive: true, maxSockets: connections });
      const target = new URL(url);
      let refused = 0;
      const numbers = Array.from({ length: count }, (_, index) => index);
      await atOnce(connections, numbers, async (index) => {
        const body = notification(ids[index % ids.length] ?? '');
        while ((await post(target, body, agent)) !== 200) refused += 1;
      });
      agent.destroy();
      return { refused };
    },

    /**
     * Sends these notifications at a steady rate, so that a shop that stands still delays all that come meanwhile. `refused`: how
     * many were not answered with 200.
     */
    async steadily(order: { url: string; ids: readonly string[]; perSecond: number; forwardedFor?: string }) {
      const { url, ids, perSecond: rate, forwardedFor } = order;
      const agent = new Agent({ keepAlive: true });
      const target = new URL(url);
      const headers: Record<string, string> =
        forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor };
      let refused = 0;
      const times = await atRate(rate, ids, async (id) => {
        const startedAt = performance.now();
        if ((await post(target, notification(id), agent, headers)) !== 200) refused += 1;
        return performance.now() - startedAt;
      });
      agent.destroy();
      return { p50: percentile(times, 50), p99: percentile(times, 99), refused };
    },
  };
}
