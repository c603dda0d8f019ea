import type { PaymentStatus, SecretKeys } from '@holdfast/payments';
import { inspect } from 'node:util';
import { testAccount } from '../support/account.js';
import { openBench, orderInput, paymentBecomes, type Bench } from '../support/payments-host.js';

const oldKey = testAccount.secretKey;
const newKey = 'canary_new_secret_8Jq2LwZr';

describe('the shop’s secret key', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.sandbox.setSecretKeys([oldKey]));
  afterAll(() => bench.close());

  it('changes without a restart and without a refused payment', async () => {
    let keys: SecretKeys = [oldKey];
    let unauthorized = 0;
    const host = await bench.startHost({
      secretKey: async () => keys,
      hooks: { onFailure: ({ httpStatus }) => void (unauthorized += Number(httpStatus === 401)) },
    });
    const paid: string[] = [];
    /** Buyers who come before, while and after something changes: each pays what was created and captured for them. */
    const during = async (change: () => void): Promise<void> => {
      const buyer = async (): Promise<void> => {
        const { id, serviceId } = await host.payments.create({ ...orderInput(), capture: false });
        bench.sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' });
        await paymentBecomes(host, id, 'waiting_for_capture');
        await host.payments.capture(id);
        paid.push(id);
      };
      const before = [buyer(), buyer(), buyer()];
      await before[0];
      const meanwhile = [buyer(), buyer(), buyer()];
      change();
      await Promise.all([...before, ...meanwhile, buyer(), buyer()]);
    };

    // The host knows both, the service still only the old one.
    await during(() => (keys = [newKey, oldKey]));
    await during(() => bench.sandbox.setSecretKeys([newKey, oldKey]));
    await during(() => bench.sandbox.setSecretKeys([newKey]));
    expect(unauthorized).toBeGreaterThan(0);
    unauthorized = 0;
    await during(() => (keys = newKey));
    expect(unauthorized).toBe(0);

    expect(paid).toHaveLength(4 * 8);
    const statuses = new Set<PaymentStatus>();
    for (const id of paid) {
      statuses.add((await host.payments.get(id)).status);
      const names = (await host.payments.timeline(id)).map(({ name }) => name);
      expect(names).not.toContain('payment.anomaly');
    }
    expect([...statuses]).toEqual(['succeeded']);
    await host.close();
  });

  it.each<[string, () => Promise<SecretKeys>, string]>([
    ['fails', () => Promise.reject(new RangeError(`No lease for ${newKey}`)), 'it failed with RangeError'],
    ['gives none', () => Promise.resolve([]), 'it returned no secret key or an invalid one'],
    [
      'returns an invalid key',
      () => Promise.resolve([oldKey, 'a b']),
      'it returned no secret key or an invalid one',
    ],
  ])('whose function %s for a while refuses no payment', async (_name, failing, reason) => {
    let source = failing;
    const host = await bench.startHost({ secretKey: () => source() });
    const input = orderInput();
    const created = bench.sandbox.ledger.requestCount({ endpoint: 'create' });
    const error: unknown = await host.payments.create(input).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'payment_outcome_unknown',
      cause: { code: 'service_credentials_unavailable', reason },
    });
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(newKey);
    expect(bench.sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(created);
    source = () => Promise.resolve(oldKey);
    expect(await host.payments.create(input)).toMatchObject({ status: 'pending' });
    await host.close();
  });
});
