import { setTimeout as delay } from 'node:timers/promises';

import { compare, type Bench } from '../bench.js';
import type { Holdfast, HoldfastSettings } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import { CREATE_EFFECTS } from '../contenders/statements.js';
import { atMost } from '../figures.js';
import { Counter } from '../stage/counter.js';

const TICK_MS = 200;
const OURS = 'Holdfast';

export const idle: Bench = {
  name: 'idle',
  what: 'a process with nothing to do',
  notes: [
    `Statements of a tick, counted by pg_stat_statements over many ticks ${TICK_MS} ms apart; a tick is every 5 s by default. BEGIN and COMMIT are counted only where it says so.`,
  ],
  async run(stage) {
    await stage.server.countStatements(true);
    stage.cleanUp.add(() => stage.server.countStatements(false));
    const service = await stage.start<Service>('contenders/service', account);
    const databaseUrl = await stage.migrated('idle', CREATE_EFFECTS, 'CREATE EXTENSION pg_stat_statements');
    const settings: HoldfastSettings = {
      databaseUrl,
      serviceUrl: await service.steps.url(),
      poolSize: 10,
      handlers: 'one',
      options: { sweeps: { intervalMs: TICK_MS } },
    };
    await stage.start<Holdfast>('contenders/holdfast', settings);
    const counter = new Counter(await stage.client(databaseUrl));
    const ticks = stage.size(50, 15, 3);
    const rest = async () => {
      const before = await counter.read();
      await delay(ticks * TICK_MS);
      const after = await counter.read();
      const each = (total: number) => (total - Counter.STATEMENTS) / ticks;
      return {
        statements: each(after.statements - before.statements),
        plain: each(after.plain - before.plain),
      };
    };
    const samples = await stage.race(`${ticks} ticks`, [{ name: OURS, run: rest }]);
    return [
      ...compare(samples, {
        case: 'one tick',
        metric: 'plain',
        unit: 'statements',
        bars: { [OURS]: atMost(3, 1) },
      }),
      ...compare(samples, {
        case: 'one tick, with BEGIN and COMMIT',
        metric: 'statements',
        unit: 'statements',
      }),
    ];
  },
};
