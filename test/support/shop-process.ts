import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

export interface ShopProcess {
  url: string;
  child: ChildProcess;
  /** Sends the signal and waits until the process is gone; answers with its exit code, `null` if it was killed. */
  end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** The compiled shop as a process of its own, told everything by its environment. Rejects with what it said if it ends. */
export async function startShopProcess(environment: Record<string, string>): Promise<ShopProcess> {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], PORT: '0', SANDBOX_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const exited = once(child, 'exit');
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line);
      const url = /^Shop:\s+(\S+)/.exec(line)?.[1];
      if (url) resolve(url);
    });
  });
  const url = await Promise.race([
    listening,
    once(child, 'close').then(() => Promise.reject(new Error(said.join('\n')))),
  ]);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return { url, child, end };
}
