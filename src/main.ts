import { startSandbox } from '@holdfast/sandbox';
import { randomBytes } from 'node:crypto';
import { explainListenError } from '../examples/shared/config/port.js';
import { openPostgres } from '../examples/shared/database/postgres.js';
import { loadEnvironment } from './config/environment.js';
import { loopbackUrl } from './config/loopback-url.js';
import { sandboxReceipts } from './config/sandbox-receipts.js';
import { sandboxStore } from './config/sandbox-store.js';
import { serviceFromEnvironment, shopOptions } from './config/service-from-environment.js';
import { sandboxWidget } from './config/widget.js';
import { openMetrics } from './metrics.js';
import { startShop } from './start-shop.js';

/** What is open, in the order it was opened; it is closed in reverse order. */
const open: { close(): Promise<void> }[] = [];

async function start(): Promise<void> {
  const environment = loadEnvironment();
  const { METRICS_PORT: metricsPort } = environment;
  const metrics = metricsPort === undefined ? null : await openMetrics(metricsPort);
  if (metrics) open.push(metrics);
  const postgres = await openPostgres();
  open.push(postgres);

  if (environment.usesService) {
    const shop = await startShop(serviceFromEnvironment(environment, postgres.url));
    open.push(shop);
    console.log(`Shop: ${shop.url}`);
    if (environment.STAFF_PASSWORD) console.log(`Staff: ${shop.url}/staff`);
    if (metrics) console.log(`Metrics: ${metrics.url}`);
    return;
  }

  // After a restart the sandbox must still know the payments in the database.
  const { SANDBOX_PORT: port, PAYMENTS_PROFILE: profile } = environment;
  const { shopId, stateFile } = await sandboxStore('.data/sandbox', profile);
  const credentials = { shopId, secretKey: 'test_secret' };
  const receipts = sandboxReceipts(environment);
  const sandbox = await startSandbox({
    port,
    profile,
    stateFile,
    storeName: 'Kettle & Leaf',
    movesToo: 'the shop',
    ...credentials,
    ...(receipts && { receipts }),
  }).catch((error: unknown) => {
    throw explainListenError(error, port, 'SANDBOX_PORT');
  });
  open.push(sandbox);
  const account = {
    ...credentials,
    serviceUrl: sandbox.url,
    // The sandbox names a documented sender in X-Forwarded-For, so its own address must be a trusted proxy.
    trustedProxies: ['127.0.0.1/32', '::1/128'],
    // Moved on the control page: the end of a hold comes for both.
    clock: sandbox.clock,
  };
  // No money moves here, so the staff's pages may use a password that is printed to this terminal.
  const staffPassword = environment.STAFF_PASSWORD ?? randomBytes(9).toString('base64url');
  const widget = sandboxWidget(sandbox.url);
  const shop = await startShop({ ...shopOptions(environment, postgres.url, account, widget), staffPassword });
  open.push(shop);
  // Not PUBLIC_URL, which may lead to another machine: the sandbox sends to this one only.
  const local = loopbackUrl(shop.app.getHttpServer());
  sandbox.setNotifyUrl(local && `${local}/webhooks/payments`);
  console.log(`Shop:     ${shop.url}`);
  const opensWith = environment.STAFF_PASSWORD ? '' : `  (any user name, password ${staffPassword})`;
  console.log(`Staff:    ${shop.url}/staff${opensWith}`);
  console.log(`Sandbox:  ${sandbox.url}  (in place of the payment service; no money moves)`);
  if (metrics) console.log(`Metrics:  ${metrics.url}`);
  if (!local)
    console.log(
      '  It sends no notifications to this HOST; with HOST=0.0.0.0 the shop listens where they arrive.',
    );
  console.log('Ctrl-C stops everything.');
}

async function closeAll(): Promise<void> {
  for (const part of open.splice(0).toReversed()) await part.close();
}

let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void closeAll().then(() => process.exit(0));
  });
}

start().catch(async (error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  await closeAll();
  process.exit(1);
});
