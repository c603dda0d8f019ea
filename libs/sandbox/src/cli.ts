#!/usr/bin/env node
import { parseFlags, usage } from './cli-flags.js';
import type { Sandbox } from './running-sandbox.js';
import { startSandbox } from './sandbox.js';
import type { SandboxOptions } from './sandbox.options.js';

async function main(args: readonly string[]): Promise<void> {
  const options = readFlags(args);
  if (!options) return;
  const sandbox = await startSandbox(options);
  console.log(`Sandbox of the payment service
  REST API        ${sandbox.url}/v3   (HTTP Basic, user ${options.shopId})
  Control API     ${sandbox.url}/sandbox/ledger, /sandbox/payments, …
  Notifications   ${options.notify?.url ?? 'none (start with --notify URL)'}
All payments are lost when it stops. Ctrl-C stops it.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(sandbox));
}

function readFlags(args: readonly string[]): SandboxOptions | undefined {
  try {
    const flags = parseFlags(args);
    if (flags !== 'help') return flags;
    console.log(usage);
    return undefined;
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function stop(sandbox: Sandbox): Promise<void> {
  await sandbox.close();
  console.log('Sandbox stopped.');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  console.error(
    `The sandbox cannot start: ${messageOf(error)}${taken ? '. Choose another with --port.' : ''}`,
  );
  process.exitCode = 1;
});
