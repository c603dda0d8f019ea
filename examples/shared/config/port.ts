import { createServer } from 'node:net';

/** A port of 127.0.0.1 on which nobody listens. Another program may take it before it is used. */
export function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolvePort(address.port);
        else reject(new Error('no free port'));
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
