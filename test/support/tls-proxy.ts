import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { ownLoopback } from './own-loopback.js';
import { selfSigned } from './self-signed.js';

/** A reverse proxy with TLS, as stands in front of most shops. */
export interface TlsProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** On 8443: the service notifies that port and 443, which is root's, alone. */
export async function startTlsProxy(target: string): Promise<TlsProxy> {
  const server = createServer(selfSigned, (incoming, outgoing) => {
    // It says itself who asks, whatever they say.
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress };
    const passed = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(passed);
  });
  server.listen(8443, ownLoopback);
  await once(server, 'listening');
  return {
    url: `https://${ownLoopback}:8443`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
