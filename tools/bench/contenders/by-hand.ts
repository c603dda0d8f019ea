/** What one would write by hand: axios and pg, no lease, no check, no event, nothing that survives a crash half-way. */
import { create as createAxios } from 'axios';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';

import { percentile } from '../../common/percentile.js';
import { atOnce, perSecond, timed } from './at-once.js';
import { account } from './payment-object.js';

export type ByHand = Awaited<ReturnType<typeof open>>;

export async function open(settings: { databaseUrl: string; serviceUrl: string; poolSize: number }) {
  const pool = new Pool({ connectionString: settings.databaseUrl, max: settings.poolSize });
  const http = createAxios({
    baseURL: `${settings.serviceUrl}/v3`,
    auth: { username: account.shopId, password: account.secretKey },
    maxRedirects: 0,
    proxy: false,
    timeout: 30_000,
  });

  async function create(reference: string): Promise<void> {
    const [id, key] = [randomUUID(), randomUUID()];
    const body = JSON.stringify({
      amount: { value: '100.00', currency: 'RUB' },
      confirmation: { type: 'redirect', return_url: 'https://shop.example/return' },
      capture: true,
      metadata: { payment: id },
    });
    await pool.query(
      `INSERT INTO bare_payments (id, reference, status, amount_minor, idempotence_key, body)
       VALUES ($1, $2, 'submitting', 10000, $3, $4)`,
      [id, reference, key, body],
    );
    const { data } = await http.post<{ id: string; status: string }>('/payments', body, {
      headers: { 'Content-Type': 'application/json', 'Idempotence-Key': key },
    });
    await pool.query(
      'UPDATE bare_payments SET service_id = $2, status = $3, object = $4, updated_at = now() WHERE id = $1',
      [id, data.id, data.status, data],
    );
  }

  return {
    async rereads({ count, workers }: { count: number; workers: number }): Promise<{ perSecond: number }> {
      const { rows } = await pool.query<{ id: string; service_id: string }>(
        `INSERT INTO bare_payments (id, reference, service_id, status, amount_minor, idempotence_key, body)
         SELECT gen_random_uuid(), 'order ' || n, gen_random_uuid(), 'pending', 10000, gen_random_uuid(), '{}'
         FROM generate_series(1, $1::int) n RETURNING id, service_id`,
        [count],
      );
      const ms = await timed(() =>
        atOnce(workers, rows, async ({ id, service_id: serviceId }) => {
          const { data } = await http.get<{ status: string }>(`/payments/${serviceId}`);
          await pool.query(
            'UPDATE bare_payments SET status = $2, object = $3, updated_at = now() WHERE id = $1',
            [id, data.status, data],
          );
        }),
      );
      await pool.query('TRUNCATE bare_payments');
      return { perSecond: perSecond(count, ms) };
    },

    /** One after the other to measure the time of one, then this many at once to measure how many per second. */
    async creates({ count, workers }: { count: number; workers: number }) {
      const references = Array.from({ length: count }, () => randomUUID());
      const times: number[] = [];
      for (const reference of references) times.push(await timed(() => create(reference)));
      const more = Array.from({ length: 2 * count }, () => randomUUID());
      const ms = await timed(() => atOnce(workers, more, create));
      await pool.query('TRUNCATE bare_payments');
      return { p50: percentile(times, 50), perSecond: perSecond(more.length, ms) };
    },
  };
}
