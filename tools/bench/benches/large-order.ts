import { compare, type Bench } from '../bench.js';
import type { Call, Holdfast } from '../contenders/holdfast.js';
import { account } from '../contenders/payment-object.js';
import type { Service } from '../contenders/service.js';
import { ratioAtMost, type Figure } from '../figures.js';
import { crowdOrder, endOpen, loadPayments } from '../load/load.js';

const ONE = 'one payment';
const MANY = 3_000;
const LARGE = '3,000 payments';

const calls: readonly Call[] = ['createPart', 'reread', 'currentPayment'];

export const largeOrder: Bench = {
  name: 'large-order',
  what: 'calls on an order of three thousand settled payments, beside the same on an order of one',
  notes: [
    'The median of calls made one after the other, the service answering at once. A create opens a payment of a further part; what it opened is ended before the next round. The tables were analyzed before the order became large.',
    'With --tiny the large order has 300 payments.',
  ],
  async run(stage) {
    const service = await stage.start<Service>('contenders/service', account);
    const databaseUrl = await stage.migrated('large_order');
    const { steps: host } = await stage.start<Holdfast>('contenders/holdfast', {
      databaseUrl,
      serviceUrl: await service.steps.url(),
      poolSize: 10,
      options: { sweeps: false },
    });
    const client = await stage.client(databaseUrl);
    const [one, large] = await loadPayments(client, {
      count: stage.size(5_000, 5_000, 100),
      status: 'succeeded',
      withHistory: true,
    });
    if (!one || !large) throw new Error('Nothing was loaded.');
    await client.query('VACUUM ANALYZE');
    await crowdOrder(client, one.id, 0);
    await crowdOrder(client, large.id, stage.size(MANY, MANY, 300));
    const count = stage.size(60, 30, 3);
    const run = (call: Call, subject: { id: string; reference: string }) => ({
      run: async () => {
        await endOpen(client);
        return host.calls({ call, subjects: Array.from({ length: count }, () => subject) });
      },
    });
    const figures: Figure[] = [];
    for (const call of calls) {
      const samples = await stage.race(call, [
        { name: ONE, ...run(call, one) },
        { name: LARGE, ...run(call, large) },
      ]);
      figures.push(
        ...compare(samples, {
          case: call,
          metric: 'p50',
          unit: 'ms',
          against: ONE,
          bars: { [LARGE]: ratioAtMost(1.2) },
        }),
      );
    }
    return figures;
  },
};
