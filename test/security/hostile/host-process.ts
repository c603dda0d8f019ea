import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What is started by default. */
const main = fileURLToPath(new URL('./attacked-host.js', import.meta.url));

/** An application under attack. */
export interface HostProcess {
  readonly port: number;
  /** Lines it logged. */
  readonly logged: readonly string[];
  /** Its memory after a garbage collection. */
  heldBytes(): Promise<number>;
  close(): Promise<void>;
}

/** Rejects with its output if it does not start. */
export async function startHostProcess(
  environment: Record<string, string>,
  program = main,
): Promise<HostProcess> {
  const child = spawn(process.execPath, ['--expose-gc', program], {
    env: { PATH: process.env['PATH'], NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const logged: string[] = [];
  for (const input of [child.stdout, child.stderr])
    if (input) createInterface({ input }).on('line', (line) => logged.push(line));
  const exited = once(child, 'exit');
  const said = async (name: string): Promise<number> => {
    const [message]: unknown[] = await Promise.race([
      once(child, 'message'),
      exited.then(() => Promise.reject(new Error(`The host is gone:\n${logged.join('\n')}`))),
    ]);
    const value: unknown = typeof message === 'object' && message !== null && Reflect.get(message, name);
    if (typeof value !== 'number') throw new Error(`The host said no ${name}.`);
    return value;
  };
  return {
    port: await said('port'),
    logged,
    async heldBytes() {
      child.send('memory');
      return said('heldBytes');
    },
    async close() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
