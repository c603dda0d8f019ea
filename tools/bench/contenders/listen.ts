import type { Server } from 'node:http';

/** Listens on a free port of 127.0.0.1 and answers with it. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('no free port'));
    });
  });
}
