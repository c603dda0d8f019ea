import { PaymentsApi } from '../../../api/payments-api.js';
import { Database } from '../../../database/database.js';
import {
  RESOLVED_OPTIONS,
  type ResolvedPaymentsOptions,
} from '../../../options/payments.module-definition.js';
import { durationText } from '../../screen/texts.js';
import { broken, none, well, type Check } from '../check.js';

/** Nothing irreversible depends on clocks that agree, but times people compare do, and limits of signatures elsewhere. */
const APART_MS = 60_000;

interface Reading {
  readonly name: string;
  /** How far it is ahead of this process's clock, at least. */
  readonly aheadMs: number;
}

export const clocks: Check = {
  name: 'clocks',
  needs: ['data source', 'credentials'],
  look: async (app) => {
    const { shopId, clock } = app.get<ResolvedPaymentsOptions>(RESOLVED_OPTIONS);
    const database = await reading("the database's", async () => {
      const [row] = await app
        .get(Database)
        .read((from) => from.query<{ now: Date }[]>('SELECT clock_timestamp() AS now'));
      return row?.now ?? null;
    });
    const service =
      shopId === null
        ? null
        : await reading("the service's", async () => {
            const list = app.get(PaymentsApi).listPayments({ limit: 1 }, { once: true });
            const { value: page } = await list.pages().next();
            // Business time, which a sandbox moves together with the module's.
            return page?.date ? new Date(page.date.getTime() - clock.offsetMs()) : null;
          });
    const readings = [database, service].filter((one) => one !== null);
    if (readings.length === 0) return none('no clock could be read');
    const wrong = readings.filter(({ aheadMs }) => Math.abs(aheadMs) > APART_MS);
    if (wrong.length > 0)
      return broken(
        wrong.map(({ name, aheadMs }) => `${name} is ${apartText(aheadMs)} this process's`).join(', '),
        'Have NTP (chrony, systemd-timesyncd) set the clock that is wrong.',
      );
    return well(
      `those of ${readings.map(({ name }) => name.replace(/'s$/, '')).join(' and ')} agree with this one`,
    );
  },
};

/** What a clock showed at some moment between two of ours; whole seconds may be cut off. */
async function reading(name: string, ask: () => Promise<Date | null>): Promise<Reading | null> {
  const before = Date.now();
  const shown = await ask();
  const after = Date.now();
  if (shown === null) return null;
  const latest = shown.getTime() + 1_000;
  if (latest < before) return { name, aheadMs: latest - before };
  return { name, aheadMs: Math.max(0, shown.getTime() - after) };
}

const apartText = (aheadMs: number): string =>
  `${durationText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
