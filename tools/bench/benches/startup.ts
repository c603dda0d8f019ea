import { compare, type Bench } from '../bench.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import type { StartUp } from '../contenders/start-up.js';

const EMPTY = 'empty Nest app with TypeORM';
const OURS = 'the same with Holdfast';
const MIB = 1024 * 1024;

export const startup: Bench = {
  name: 'startup',
  what: 'start-up and memory of a process',
  notes: [
    'From the start of the process until it listens; resident memory after a garbage collection. Every round starts both anew; the tables exist already.',
    'ScheduleModule, which sweeps need, is counted as Holdfast’s.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const settings = { databaseUrl: await stage.migrated('startup'), serviceUrl: await service.steps.url() };
    const start = (name: string, withHoldfast: boolean) => ({
      name,
      run: async () => {
        const app = await stage.start<StartUp>('contenders/start-up', { ...settings, withHoldfast });
        const sample = {
          ms: await app.steps.startedInMs(),
          memory: (await app.residentMemory()) / MIB,
        };
        await app.close();
        return sample;
      },
    });
    const samples = await stage.race('start', [start(EMPTY, false), start(OURS, true)]);
    return [
      ...compare(samples, { case: 'start', metric: 'ms', unit: 'ms', against: EMPTY }),
      ...compare(samples, { case: 'memory', metric: 'memory', unit: 'MiB', against: EMPTY }),
    ];
  },
};
