import { yookassaProfile } from '@holdfast/payments';
import { startSandbox, type Sandbox, type SandboxOptions } from '@holdfast/sandbox';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunningApplication } from '../../examples/shared/start-application.js';
import type { ShopOptions } from '../../src/config/shop-options.js';
import { sandboxWidget } from '../../src/config/widget.js';
import { startShop } from '../../src/start-shop.js';
import { testAccount } from './account.js';
import { createTestDatabase } from './database.js';
import { loopbackProxies } from './listen.js';
import { closing } from './still-running.js';

/** Opens the staff's pages. */
export const staffPassword = 'test_staff_password';

interface ReplicaChanges extends Partial<Omit<ShopOptions, 'payments'>> {
  payments?: Partial<ShopOptions['payments']>;
}

export interface TestShop {
  shop: RunningApplication;
  sandbox: Sandbox;
  /** Where the shop writes its mails. */
  mailFolder: string;
  databaseUrl: string;
  /** Starts a second replica of the same shop: same database, same store. */
  addReplica(changes?: ReplicaChanges): Promise<RunningApplication>;
  close(): Promise<void>;
}

/** The shop with a database and a sandbox of its own; their clocks move together. */
export async function startTestShop(
  payments: Partial<ShopOptions['payments']> = {},
  service: Partial<SandboxOptions> = {},
): Promise<TestShop> {
  const database = await createTestDatabase();
  const mailFolder = await mkdtemp(join(tmpdir(), 'shop-mail-'));
  const sandbox = await startSandbox({ ...testAccount, ...service });
  const closeSandbox = closing(() => sandbox.close());
  const options: ShopOptions = {
    databaseUrl: database.url,
    host: '127.0.0.1',
    port: 0,
    publicUrl: null,
    staffPassword,
    payments: {
      ...testAccount,
      serviceUrl: sandbox.url,
      trustedProxies: loopbackProxies,
      sweeps: { intervalMs: 200 },
      clock: sandbox.clock,
      ...payments,
    },
    mailFolder,
    widget: sandboxWidget(sandbox.url),
  };
  const shops: RunningApplication[] = [];
  const addReplica = async (changes: ReplicaChanges = {}): Promise<RunningApplication> => {
    const ofReplica = { ...options.payments, ...changes.payments };
    const started = await startShop({ ...options, ...changes, payments: ofReplica });
    const replica = { ...started, close: closing(() => started.close()) };
    shops.push(replica);
    return replica;
  };
  const shop = await addReplica();
  sandbox.setNotifyUrl(`${shop.url}/webhooks/payments`);
  const close = async (): Promise<void> => {
    await Promise.all(shops.map((started) => started.close()));
    await closeSandbox();
    await database.drop();
    await rm(mailFolder, { recursive: true });
  };
  return { shop, sandbox, mailFolder, databaseUrl: database.url, addReplica, close };
}

/** No demo store: those have neither SBP nor other banks. */
const shopId = '4711';

/** The same with the public service: every way to pay, and receipts. */
export function startShopWithReceipts(payments: Partial<ShopOptions['payments']> = {}): Promise<TestShop> {
  return startTestShop(
    { shopId, profile: yookassaProfile, fiscalization: { register: 'service' }, ...payments },
    { shopId, profile: 'yookassa', receipts: { scenario: 'with_payment', provider: 'yoo_receipt' } },
  );
}

/** The same with a third party's register, whose receipts follow the money. */
export function startShopWithReceiptsAfter(): Promise<TestShop> {
  const scenario = 'after_payment';
  return startTestShop(
    { shopId, profile: yookassaProfile, fiscalization: { register: 'third_party', scenario } },
    { shopId, profile: 'yookassa', receipts: { scenario, provider: 'atol' } },
  );
}
