import { PaymentsOperator, PaymentsService } from '@holdfast/payments';
import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { randomBytes } from 'node:crypto';
import type { CleanUp } from '../../examples/shared/clean-up.js';
import { profiles } from '../../examples/shared/config/profiles.js';
import { openThrowAwayDatabase } from '../../examples/shared/database/throw-away-database.js';
import { sandboxWidget } from '../../src/config/widget.js';
import { OrdersService } from '../../src/orders/orders.service.js';
import { startShop } from '../../src/start-shop.js';
import { DemoDatabase } from './demo-database.js';
import { DemoLog } from './demo-log.js';
import type { DemoFlags } from './flags.js';

export interface Everything {
  sandbox: Sandbox;
  shopUrl: string;
  databaseUrl: string;
  database: DemoDatabase;
  operator: PaymentsOperator;
  /** What programs of the shop without a page call. */
  payments: PaymentsService;
  orders: OrdersService;
  log: DemoLog;
  /** Opens the staff's pages. */
  staffPassword: string;
}

/** Ticks of the sweep, so short that nobody waits for them; business time decides what is due. */
const sweepIntervalMs = 100;

/** PostgreSQL, the sandbox in the service's place, and the shop, each on a free port; their clocks move together. */
export async function startEverything(
  { profile, receipts }: DemoFlags,
  cleanUp: CleanUp,
): Promise<Everything> {
  const scenario = receipts && (`${receipts}_payment` as const);
  // No demo store where there is more than card and e-wallet.
  const account = { shopId: profile === 'yookassa' ? '4711' : 'test_shop', secretKey: 'test_secret' };
  const staffPassword = randomBytes(18).toString('base64url');
  const throwAway = await openThrowAwayDatabase('holdfast_demo', cleanUp);
  const databaseUrl = throwAway.url;
  const database = new DemoDatabase(throwAway, cleanUp);
  const sandbox = await startSandbox({
    ...account,
    profile,
    storeName: 'Kettle & Leaf',
    movesToo: 'the shop',
    ...(scenario && { receipts: { scenario, provider: 'atol' } }),
  });
  cleanUp.add(() => sandbox.close());
  const shop = await startShop({
    databaseUrl,
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    staffPassword,
    payments: {
      ...account,
      profile: profiles[profile],
      ...(scenario && { fiscalization: { register: 'third_party', scenario } }),
      serviceUrl: sandbox.url,
      // The sandbox names a documented sender in X-Forwarded-For, so its own address must be a trusted proxy.
      trustedProxies: ['127.0.0.1/32'],
      sweeps: { intervalMs: sweepIntervalMs },
      clock: sandbox.clock,
    },
    mailFolder: null,
    widget: sandboxWidget(sandbox.url),
  });
  cleanUp.add(() => {
    // A request that an interruption cut off ends in errors of no interest.
    shop.app.useLogger(false);
    return shop.close();
  });
  const log = new DemoLog(() => sandbox.clock.now());
  shop.app.useLogger(log);
  sandbox.setNotifyUrl(`${shop.url}/webhooks/payments`);
  const [operator, payments, orders] = [
    shop.app.get(PaymentsOperator, { strict: false }),
    shop.app.get(PaymentsService, { strict: false }),
    shop.app.get(OrdersService, { strict: false }),
  ];
  return {
    sandbox,
    shopUrl: shop.url,
    databaseUrl,
    database,
    operator,
    payments,
    orders,
    staffPassword,
    log,
  };
}
