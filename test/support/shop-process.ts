import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { workspace } from './packed.js';

interface ShopProcess {
  url: string;
  child: ChildProcess;
  /** What it has printed so far, line by line, both streams. */
  said: readonly string[];
  /** Sends the signal and waits until the process is gone; returns its exit code, `null` if it was killed. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/**
 * The compiled shop as a process of its own, configured only by its environment, with its data in this folder. Rejects with its
 * output if it ends.
 */
export function startShopProcess(environment: Record<string, string>, folder?: string): Promise<ShopProcess> {
  return startProcess('src/main.js', /^Shop:\s+(\S+)/, environment, folder);
}

/** The shop as it was compiled in another folder, its data there too. */
export function startShopBuiltIn(folder: string, environment: Record<string, string>): Promise<ShopProcess> {
  const main = join(folder, 'dist/src/main.js');
  return startCommand([process.execPath, main], /^Shop:\s+(\S+)/, environment, folder);
}

/** The compiled platform, likewise. */
export function startPlatformProcess(environment: Record<string, string>): Promise<ShopProcess> {
  return startProcess(
    'examples/partner/main.js',
    platformAnnouncement,
    environment,
    join(workspace, 'examples'),
  );
}

/** The platform copied to a folder, with its dependencies installed: built and started as its users do it there. */
export function startCopiedPlatform(
  folder: string,
  environment: Record<string, string>,
): Promise<ShopProcess> {
  // In a group of its own: a signal has to reach what npm runs as well, as one from a terminal does.
  return startCommand(['npm', 'start'], platformAnnouncement, environment, folder, true);
}

const platformAnnouncement = /^Platform:\s+(\S+)/;

function startProcess(
  main: string,
  announcement: RegExp,
  environment: Record<string, string>,
  folder = process.cwd(),
): Promise<ShopProcess> {
  return startCommand([process.execPath, join(workspace, 'dist', main)], announcement, environment, folder);
}

async function startCommand(
  [command, ...args]: readonly [string, ...string[]],
  announcement: RegExp,
  environment: Record<string, string>,
  folder: string,
  detached = false,
): Promise<ShopProcess> {
  const child = spawn(command, args, {
    detached,
    env: { PATH: process.env['PATH'], PORT: '0', SANDBOX_PORT: '0', ...environment },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  // npm may end before what it runs, which then holds its output open.
  const exited = once(child, detached ? 'close' : 'exit');
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line);
      const url = announcement.exec(line)?.[1];
      if (url) resolve(url);
    });
  });
  const url = await Promise.race([
    listening,
    once(child, 'close').then(() => Promise.reject(new Error(said.join('\n')))),
  ]);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (detached && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return { url, child, said, end };
}
