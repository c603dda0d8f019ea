import type { Sandbox } from '@holdfast/sandbox';
import { startDemoSandbox } from '../../examples/partner/config/demo-sandbox.js';
import type { PlatformOptions } from '../../examples/partner/config/platform-options.js';
import { startPlatform } from '../../examples/partner/start-platform.js';
import type { RunningApplication } from '../../examples/shared/start-application.js';
import { createTestDatabase } from './database.js';
import { onFreePort } from './free-port.js';
import { closing } from './still-running.js';

export interface TestPlatform {
  platform: RunningApplication;
  sandbox: Sandbox;
  close(): Promise<void>;
}

/** The example platform with a database and its own sandbox, its owners and their stores. */
export function startTestPlatform(changes: Partial<PlatformOptions> = {}): Promise<TestPlatform> {
  return onFreePort((port) => startOn(port, changes));
}

async function startOn(port: number, changes: Partial<PlatformOptions>): Promise<TestPlatform> {
  const database = await createTestDatabase();
  const publicUrl = `http://127.0.0.1:${port}`;
  const { sandbox, counterpart } = await startDemoSandbox({
    port: 0,
    profile: 'documented',
    platformUrl: publicUrl,
  });
  const closeSandbox = closing(() => sandbox.close());
  const { payments, signIn, ...app } = counterpart;
  const platform = await startPlatform({
    databaseUrl: database.url,
    host: '127.0.0.1',
    port,
    publicUrl,
    signIn,
    app: { ...app, permissions: ['payments_create', 'refunds_create'] },
    payments: { ...payments, sweeps: { intervalMs: 200 } },
    ...changes,
  }).catch(async (error: unknown) => {
    await closeSandbox();
    await database.drop();
    throw error;
  });
  const closePlatform = closing(() => platform.close());
  const close = async (): Promise<void> => {
    await closePlatform();
    await closeSandbox();
    await database.drop();
  };
  return { platform, sandbox, close };
}
