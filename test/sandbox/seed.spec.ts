import { seed, SEED_SPAN_MS, startSandbox, type Sandbox } from '@holdfast/sandbox';
import { shop, started } from './support.js';

const HOUR_MS = 60 * 60 * 1000;

describe('the seed', () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox({ ...shop, startAt: new Date(Date.now() - SEED_SPAN_MS) });
    await seed(sandbox, shop);
  });
  afterAll(() => sandbox.close());

  const countOf = (status: string) =>
    sandbox.payments.list().filter((payment) => payment.status === status).length;

  it('has payments in every state, each with a description of its own', () => {
    const payments = sandbox.payments.list();
    expect(payments.length).toBeGreaterThanOrEqual(12);
    for (const status of ['pending', 'waiting_for_capture', 'succeeded', 'canceled']) {
      expect(countOf(status)).toBeGreaterThan(1);
    }
    expect(new Set(payments.map(({ description }) => description)).size).toBe(payments.length);
  });

  it('ends at the real time, however much time it covers', () => {
    expect(Math.abs(sandbox.clock.offsetMs())).toBeLessThan(1000);
  });

  it('has a hold near its end and one that ran out', () => {
    const now = sandbox.clock.now().getTime();
    const leftMs = sandbox.payments
      .list()
      .flatMap(({ expires_at: expiresAt }) => (expiresAt === undefined ? [] : Date.parse(expiresAt) - now));
    expect(Math.min(...leftMs)).toBeLessThan(4 * HOUR_MS);
    expect(Math.min(...leftMs)).toBeGreaterThan(0);
    expect(reasons()).toContain('expired_on_capture');
  });

  it('has payments that failed, each for another reason', () => {
    expect(reasons()).toEqual(
      expect.arrayContaining([
        'insufficient_funds',
        '3d_secure_failed',
        'fraud_suspected',
        'canceled_by_merchant',
        'expired_on_confirmation',
      ]),
    );
    expect(new Set(reasons()).size).toBe(reasons().length);
  });

  it('has a refund of a part and a refund of all', () => {
    const shares = sandbox.payments
      .list()
      .filter(({ refunded_amount: refunded }) => refunded !== undefined && refunded.value !== '0.00')
      .map(({ amount, refunded_amount: refunded }) => (refunded?.value === amount.value ? 'all' : 'part'));
    expect(shares.toSorted()).toEqual(['all', 'part']);
    expect(sandbox.refunds.list()).toHaveLength(2);
  });

  it('moved money by real requests only: the ledger lists each', () => {
    const { charges, captures, refunds } = sandbox.ledger.totals();
    expect(charges).toBe(
      sandbox.payments.list().filter(({ payment_method: method }) => method !== undefined).length,
    );
    expect(captures).toBe(countOf('succeeded'));
    expect(refunds).toBe(2);
    expect(sandbox.ledger.requestCount({ endpoint: 'create' })).toBe(sandbox.payments.list().length);
  });

  it('sent the shop no notification of it', () => {
    expect(sandbox.notifications.list()).toEqual([]);
  });

  function reasons(): (string | undefined)[] {
    return sandbox.payments
      .list()
      .flatMap(({ cancellation_details: details }) => (details === undefined ? [] : details.reason));
  }
});

describe('the seed of a store that sends receipts', () => {
  it('has a receipt for all of its money', async () => {
    const receipts = { scenario: 'with_payment', provider: 'yoo_receipt' } as const;
    const sandbox = await started({
      profile: 'yookassa',
      receipts,
      startAt: new Date(Date.now() - SEED_SPAN_MS),
    });
    await seed(sandbox, shop);
    expect(sandbox.receipts.list().length).toBeGreaterThan(10);
    expect(sandbox.ledger.receiptsShort()).toEqual([]);
  });
});
