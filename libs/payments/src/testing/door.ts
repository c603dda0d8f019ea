import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';

/**
 * An address of the application, whether it listens or not: each request goes to the application's own server as if it had come in
 * there, so that the test needs no port, and the twin finds the application again after a restart.
 */
export class Door {
  #application: Server | null = null;

  private constructor(
    private readonly server: Server,
    /** Without a slash at its end. */
    readonly url: string,
  ) {
    server.on('request', (request, response) => {
      if (this.#application?.emit('request', request, response) !== true) response.writeHead(503).end();
    });
  }

  /** @param host an address of this machine: `127.0.0.1` or `::1` */
  static async open(host: string): Promise<Door> {
    const server = createServer();
    server.listen(0, host);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The door needs a TCP port.');
    return new Door(server, `http://${isIPv6(host) ? `[${host}]` : host}:${address.port}`);
  }

  /** null: there is no application for now, and requests are answered 503. */
  leadTo(application: Server | null): void {
    this.#application = application;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
