import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections by themselves. */
const FIRST = 16_384;
const LAST = 32_767;
const TRIES = 100;

/**
 * A port of 127.0.0.1 on which nobody listens. Another program may take it before it is used, but no connection will: on a busy machine
 * those take one port after the other.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = randomInt(FIRST, LAST + 1);
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => {
      resolve(false);
    });
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
}

/** The same error; if it says that the address cannot be listened on, one that names the setting to change. */
export function explainListenError(error: unknown, port: number, setting: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRNOTAVAIL')
    return new Error('HOST is not an address of this machine. Set HOST=127.0.0.1.');
  if (code !== 'EADDRINUSE') return error;
  return new Error(`Port ${port} is in use. Stop the program that has it, or set another ${setting}.`);
}
