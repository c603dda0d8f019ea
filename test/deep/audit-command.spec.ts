import { yookassaProfile } from '@holdfast/payments';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { testAccount } from '../support/account.js';
import {
  openBench,
  orderInput,
  paymentBecomes,
  type Bench,
  type PaymentsHost,
} from '../support/payments-host.js';

const main = fileURLToPath(new URL('../../dist/src/payments-command.js', import.meta.url));
const DAY_MS = 86_400_000;

describe('the audit command', () => {
  let bench: Bench;
  let host: PaymentsHost;
  let serviceId: string;
  beforeAll(async () => {
    bench = await openBench();
    host = await bench.startHost();
    const payment = await host.payments.create(orderInput());
    serviceId = payment.serviceId ?? '';
    bench.sandbox.payments.pay(serviceId, { outcome: 'succeed' });
    await paymentBecomes(host, payment.id, 'succeeded');
  });
  afterEach(() => bench.sandbox.faults.clear());
  afterAll(() => bench.close());

  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);

  const run = (...args: string[]) => runWith({}, ...args);

  async function runWith(
    settings: Record<string, string>,
    ...args: string[]
  ): Promise<{ code: unknown; out: string; error: string }> {
    const child = spawn(process.execPath, [main, 'audit', ...args], {
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: bench.database.url,
        PAYMENTS_SERVICE_URL: bench.sandbox.url,
        PAYMENTS_SHOP_ID: testAccount.shopId,
        PAYMENTS_SECRET_KEY: testAccount.secretKey,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, error, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { code, out, error };
  }

  it('says that the books agree, and shows its progress beside it', async () => {
    const { code, out, error } = await run('--from', yesterday, '--to', tomorrow);
    expect(out.trim()).toBe('1 payments, 0 refunds and 0 receipts compared: the books agree');
    expect(error).toContain('1 payments, 0 refunds, 0 receipts, equal');
    expect(code).toBe(0);
  });

  it('shows what differs, in a table or as JSON, and has an exit code that says so', async () => {
    await host.dataSource.query('UPDATE payments_payments SET service_id = NULL');
    const table = await run('--from', yesterday, '--to', tomorrow);
    expect(table.out).toMatch(new RegExp(`payment +${serviceId} .* succeeded 100,00\u00a0₽ +missing here`));
    expect(table.out).toContain('1 DIFFERENT');
    const { code, out } = await run('--from', yesterday, '--to', tomorrow, '--json');
    expect(JSON.parse(out)).toMatchObject({
      payments: 1,
      refunds: 0,
      differences: [
        {
          kind: 'missing_here',
          serviceId,
          here: null,
          there: { status: 'succeeded', amount: { minor: 10_000, currency: 'RUB' } },
        },
      ],
    });
    expect([table.code, code]).toEqual([1, 1]);
    await host.dataSource.query('UPDATE payments_payments SET service_id = $1', [serviceId]);
  });

  it('that breaks off says where to continue', async () => {
    bench.sandbox.faults.order({ on: 'list', fault: 'error_500_before_commit', times: 100 });
    // Only this run should give up soon: on a busy machine an honest answer of the other runs takes longer.
    const impatient = { REQUEST_TIMEOUT_MS: '500', CALL_DEADLINE_MS: '500' };
    const { code, error } = await runWith(impatient, '--from', yesterday);
    expect(error).toContain(`continue with --from ${yesterday}T00:00:00.000Z`);
    expect(code).toBe(3);
  });

  it('says that the key may not list receipts, and has an exit code for it', async () => {
    const receipted = await openBench(testAccount, { profile: 'yookassa' });
    try {
      await receipted.startHost({ profile: yookassaProfile });
      receipted.sandbox.faults.order({ on: 'list_receipts', fault: 'forbidden', times: 100 });
      const settings = {
        DATABASE_URL: receipted.database.url,
        PAYMENTS_SERVICE_URL: receipted.sandbox.url,
        PAYMENTS_PROFILE: 'yookassa',
      };
      const { code, out } = await runWith(settings, '--from', yesterday, '--to', tomorrow);
      expect(out.trim()).toBe(
        '0 payments and 0 refunds compared: these agree; receipts NOT COMPARED: the key may not list them',
      );
      expect(code).toBe(4);
    } finally {
      await receipted.close();
    }
  });

  it('with a wrong flag says how the flag is written', async () => {
    const { code, error } = await run('--from', 'yesterday');
    expect(error).toMatch(/'yesterday' is invalid\. It must be a day[^]*--help/);
    expect(code).toBe(2);
  });
});
