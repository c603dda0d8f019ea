import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections of a server, which ends with all of them: a client that asks again and again on one that is kept alive would
 * otherwise keep the server open for ever.
 */
export class Connections {
  /** With the requests under way on each. */
  readonly #open = new Map<Socket, number>();
  #isEnding = false;

  constructor(private readonly server: Server) {
    server.prependListener('connection', (socket: Socket) => {
      this.#open.set(socket, 0);
      socket.once('close', () => this.#open.delete(socket));
    });
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#count(socket, 1);
      if (this.#isEnding) response.setHeader('Connection', 'close');
      // A connection whose answer had begun before is kept alive by that answer.
      response.once('close', () => {
        this.#count(socket, -1);
        if (this.#isEnding) setImmediate(() => this.server.closeIdleConnections());
      });
    });
  }

  #count(socket: Socket, change: 1 | -1): void {
    const requests = this.#open.get(socket);
    if (requests !== undefined) this.#open.set(socket, requests + change);
  }

  /**
   * No new ones; those in use end with the answer that is under way, and all of them after the deadline. Resolves once none is
   * left.
   */
  async end(deadlineMs: number): Promise<void> {
    this.#isEnding = true;
    const timer = setTimeout(() => this.server.closeAllConnections(), deadlineMs);
    // Also closes those that are idle; an error says that it does not listen, and then there are none.
    const closed = new Promise((resolve) => {
      this.server.close(resolve);
    });
    // To Node a connection on which nothing has been asked yet is not idle, and browsers keep such ones in reserve.
    for (const [socket, requests] of this.#open) if (requests === 0) socket.destroy();
    await closed;
    clearTimeout(timer);
  }
}
