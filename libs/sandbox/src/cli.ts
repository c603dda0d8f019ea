#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { parseFlags, type Flags } from './cli-flags.js';
import type { Sandbox } from './control/running-sandbox.js';
import { usage } from './flag-table.js';
import { exchangePrinter } from './journal/exchange-line.js';
import type { Exchange } from './journal/exchange.js';
import { startSandbox } from './sandbox.js';
import { seed, SEED_SPAN_MS } from './seed/seed.js';

async function main(args: readonly string[]): Promise<void> {
  const flags = flagsOrUsage(args);
  if (!flags) return;
  // From the first line of its own on: what a seed does is no news.
  let print: ((exchange: Exchange) => void) | null = null;
  const sandbox = await start({ ...flags, watch: (exchange) => print?.(exchange) });
  console.log(`Sandbox of the payment service
  REST API        ${sandbox.url}/v3   (HTTP Basic, user ${flags.shopId}${flags.accessToken === undefined ? '' : '; or the OAuth token'})
  Control page    ${sandbox.url}/sandbox/   (payments, notifications, requests, faults, clock, test cards)
  Control API     ${sandbox.url}/sandbox/ledger, /sandbox/payments, …
  Profile         ${flags.profile}
  Notifications   ${flags.notify?.url ?? 'none (start with --notify URL)'}
  State           ${flags.stateFile ?? 'in memory, and lost when it stops (start with --state-file FILE)'}
Ctrl-C stops it.`);
  if (!flags.quiet) print = exchangePrinter(process.stdout);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(sandbox));
}

/**
 * The seed begins days ago and ends now; the shop is not notified of what it did not make itself. A state that is kept had its
 * beginning in an earlier run.
 */
async function start(flags: Flags): Promise<Sandbox> {
  const isKept = flags.stateFile !== undefined && existsSync(flags.stateFile);
  if (!flags.seed || isKept) return startSandbox(flags);
  const { url = null, ...notify } = flags.notify ?? {};
  const sandbox = await startSandbox({ ...flags, notify, startAt: new Date(Date.now() - SEED_SPAN_MS) });
  try {
    await seed(sandbox, flags);
    sandbox.setNotifyUrl(url);
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function flagsOrUsage(args: readonly string[]): Flags | undefined {
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
  const payments = sandbox.payments.list().length;
  await sandbox.close();
  const fate = sandbox.stateFile === null ? 'lost' : `kept in ${sandbox.stateFile}`;
  console.log(`Sandbox stopped. Its ${payments} payments are ${fate}.`);
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
