import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.js';

/** Stands in front of a database and passes everything on. */
export interface DatabaseProxy {
  readonly url: string;
  /** Makes every present connection half open: nothing passes any more, and neither side is notified. */
  freeze(): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    for (const socket of pair) {
      // A connection that is given up ends on both sides, so that the database can be dropped.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const either of pair) either.destroy();
      });
    }
  });
  const url = new URL(databaseUrl);
  url.port = String(await listen(server));
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    freeze() {
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    async close() {
      for (const [near] of pairs) near.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
