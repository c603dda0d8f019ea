import { connectMany } from '../partner/connected-many.js';
import { app, openPartnerBench, type PartnerBench } from '../partner/partner-bench.js';
import { eventually } from '../support/eventually.js';

const STORES = 20;

describe('an outage of the service', () => {
  let bench: PartnerBench;
  beforeEach(async () => {
    bench = await openPartnerBench();
  });
  afterEach(() => bench.close());

  it.each([
    ['list_refunds', 'could not be listed'],
    ['me', 'could not be checked'],
  ] as const)('that ends every %s is not one log line for each store', async (endpoint, words) => {
    const idle = await bench.startHost({ sweeps: false });
    const tokens = bench.sandbox.tokens.connectMany({ clientId: app.clientId, count: STORES });
    const stores = await connectMany(idle, tokens);
    await idle.dataSource.query("UPDATE payments_stores SET maintenance_at = now() WHERE kind = 'connected'");
    bench.sandbox.faults.order({ on: endpoint, fault: 'error_500_before_commit', times: 10_000 });
    const sweeper = await bench.startHost({ circuit: false });
    const { ledger } = bench.sandbox;
    await eventually(
      async () => stores.filter(({ accountId }) => ledger.requestCount({ endpoint, accountId }) > 0),
      ({ length }) => length === STORES,
    );
    await eventually(
      async () => bench.logs.filter((line) => line.includes(words)),
      ({ length }) => length > 0,
    );
    await sweeper.close();
    expect(bench.logs.filter((line) => line.includes(words)).length).toBeLessThan(STORES / 2);
  });
});
