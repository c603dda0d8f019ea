import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { listen } from './listen.js';

/** Stands in front of a database and passes everything on. */
export interface DatabaseProxy {
  readonly url: string;
  /** Makes every present connection half open: nothing passes any more, and neither side is notified. */
  freeze(): void;
  /** The next statement with this text is passed on and carried out, and its connection is ended, or reset, in place of the answer. */
  loseAnswerTo(text: string, how?: 'end' | 'reset'): void;
  /** Every answer on a new connection comes so much later. */
  delay(ms: number): void;
  /** New connections go to the database there. */
  turnTo(databaseUrl: string): void;
  close(): Promise<void>;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let { hostname, port } = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let lost: { readonly text: string; readonly how: 'end' | 'reset' } | null = null;
  let delayMs = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    near.on('data', (chunk) => {
      if (lost === null || !chunk.includes(lost.text)) return;
      const { how } = lost;
      lost = null;
      const end = (): unknown => (how === 'reset' ? near.resetAndDestroy() : near.destroy());
      far.unpipe(near).once('data', end).resume();
    });
    near.pipe(far);
    if (delayMs === 0) far.pipe(near);
    else far.pipe(laterBy(delayMs)).pipe(near);
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
    delay(ms) {
      delayMs = ms;
      for (const [near] of pairs) near.destroy();
    },
    loseAnswerTo(text, how = 'end') {
      lost = { text, how };
    },
    turnTo(otherUrl) {
      ({ hostname, port } = new URL(otherUrl));
    },
    async close() {
      for (const [near] of pairs) near.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Passes each piece on after so long. */
function laterBy(ms: number): Transform {
  return new Transform({
    transform(chunk, _encoding, pass) {
      setTimeout(() => pass(null, chunk), ms).unref();
    },
  });
}
