import { request, Server, type IncomingMessage } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';

/** On a request that this process made to itself. Nobody else can write it: no header or body becomes a symbol. */
export const OWN = Symbol('a notification of this process to itself');

export interface OwnNotification {
  /** Whether it reached the controller, and would have been stored if it were another's. */
  isTaken: boolean;
}

/** What became of it: a status; `late`, with no answer in time; `unknown`, because this kind of server cannot be asked. */
export interface OwnAnswer {
  readonly status: number | 'late' | 'unknown';
  readonly isTaken: boolean;
}

interface Question {
  readonly path: string;
  /** An address that may send notifications. */
  readonly sender: string;
  readonly signal: AbortSignal;
}

/** As {@link OwnAnswer} says: longer than a body may take to arrive at the door. */
const LATE_MS = 15_000;
const BODY = JSON.stringify({
  type: 'notification',
  event: 'payment.succeeded',
  object: { id: '00000000-0000-0000-0000-000000000000' },
});

/**
 * Sends a notification through this very server, as a proxy with TLS on this machine would pass it on, and tells how it is
 * answered. It takes no network and no port: Node serves any stream that is given to a server as a connection. So it reaches
 * this process and no other replica, whatever stands in front, and behind TLS no certificate matters.
 */
export async function notifyOurselves(
  server: unknown,
  { path, sender, signal }: Question,
): Promise<OwnAnswer> {
  const own: OwnNotification = { isTaken: false };
  const event = connectionEvent(server);
  if (event === null) return { status: 'unknown', isTaken: false };
  const [ours, theirs] = duplexPair();
  // What middleware reads of a connection.
  Object.assign(theirs, { remoteAddress: '127.0.0.1', remoteFamily: 'IPv4', remotePort: 1 });
  // A pair passes an end on, and no break.
  theirs.on('close', () => void (theirs.writableFinished || ours.destroy()));
  const mark = (incoming: IncomingMessage) => {
    if (incoming.socket === theirs) Object.assign(incoming, { [OWN]: own });
  };
  event.server.prependListener('request', mark);
  try {
    event.server.emit(event.name, theirs);
    const status = await answered(ours, { path, sender, signal });
    return { status, isTaken: own.isTaken };
  } catch {
    return { status: 'unknown', isTaken: false };
  } finally {
    event.server.off('request', mark);
    ours.destroy();
    theirs.destroy();
  }
}

/** The event by which a server gets a connection whose bytes are HTTP. */
function connectionEvent(server: unknown): { server: Server | TlsServer; name: string } | null {
  if (server instanceof Server) return { server, name: 'connection' };
  return server instanceof TlsServer ? { server, name: 'secureConnection' } : null;
}

function answered(connection: Duplex, { path, sender, signal }: Question): Promise<number | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('late'), LATE_MS);
    timer.unref();
    const sent = request({
      createConnection: () => connection,
      method: 'POST',
      path,
      signal,
      headers: {
        Host: 'localhost',
        Connection: 'close',
        'User-Agent': '@holdfast/payments',
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(BODY),
        'X-Forwarded-For': sender,
        'X-Forwarded-Proto': 'https',
      },
    });
    sent.on('close', () => clearTimeout(timer));
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 'late');
    });
    sent.on('error', reject);
    sent.end(BODY);
  });
}
