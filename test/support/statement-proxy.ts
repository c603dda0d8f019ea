import { connect, createServer, type Socket } from 'node:net';
import { listen } from './listen.js';

/** Stands in front of PostgreSQL, passes everything on, and counts the statements that pass. */
export interface StatementProxy {
  readonly url: string;
  /** Starts counting again, and calls `reached` once: when statement number `at` is on its way to the server and not yet answered. */
  arm(at: number, reached: () => void): void;
  readonly statements: number;
  close(): Promise<void>;
}

/** Every message but a connection's first: its type, its length. */
const HEADER_BYTES = 5;

export async function startStatementProxy(databaseUrl: string): Promise<StatementProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let statements = 0;
  let armed: { at: number; reached: () => void } | null = null;

  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const count = counter();
    near.on('data', (chunk: Buffer) => {
      const before = statements;
      statements += count(chunk);
      far.write(chunk, () => {
        if (armed && before < armed.at && statements >= armed.at) armed.reached();
      });
    });
    far.pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        // A killed client's connection ends like this: with what it sent before.
        far.end();
      });
    }
  });
  const url = new URL(databaseUrl);
  url.port = String(await listen(server));
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    arm(at, reached) {
      statements = 0;
      armed = { at, reached };
    },
    get statements() {
      return statements;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Counts the messages of one connection that run something: simple queries and executes. */
function counter(): (chunk: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  let greeted = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let found = 0;
    for (;;) {
      const typed = greeted ? 1 : 0;
      if (rest.length < (greeted ? HEADER_BYTES : 4)) return found;
      const end = typed + rest.readUInt32BE(typed);
      if (rest.length < end) return found;
      if (greeted && ['Q', 'E'].includes(String.fromCharCode(rest[0] ?? 0))) found += 1;
      greeted = true;
      rest = rest.subarray(end);
    }
  };
}
