import { PaymentsModule } from '@holdfast/payments';
import type { Sandbox } from '@holdfast/sandbox';
import axios from 'axios';

import { paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from './host.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

describe("an interceptor on the host's global axios", () => {
  let database: OpenDatabase;
  let sandbox: Sandbox;
  let host: Host;
  beforeAll(async () => {
    database = await openDatabase();
    sandbox = await startTestSandbox();
    const payments = PaymentsModule.forRoot({ ...paymentsOptions(sandbox), sweeps: false });
    host = await startHost({ imports: [typeOrm(database.url), payments] });
  });
  afterAll(async () => {
    await host.close();
    await sandbox.close();
    await database.close();
  });

  it('never sees a request to the service, nor the secret key in it', async () => {
    const seen: (string | undefined)[] = [];
    const interceptor = axios.interceptors.request.use((config) => {
      seen.push(config.url);
      return config;
    });
    try {
      await host.payments.create({
        order: { reference: 'unseen' },
        amount: { value: '10.00', currency: 'RUB' },
        returnUrl: 'https://shop.example/return',
      });
    } finally {
      axios.interceptors.request.eject(interceptor);
    }
    expect(sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(1);
    expect(seen).toEqual([]);
  });
});
