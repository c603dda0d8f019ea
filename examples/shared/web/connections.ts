import type { Server, ServerResponse } from 'node:http';

/**
 * The connections of a server, which ends with all of them: a client that asks again and again on one that is kept alive would
 * otherwise keep the server open for ever.
 */
export class Connections {
  #isEnding = false;

  constructor(private readonly server: Server) {
    server.prependListener('request', (_request: unknown, response: ServerResponse) => {
      if (this.#isEnding) response.setHeader('Connection', 'close');
      // One whose answer had begun before is kept alive by that answer.
      response.once('close', () => {
        if (this.#isEnding) setImmediate(() => this.server.closeIdleConnections());
      });
    });
  }

  /**
   * No new ones; those in use end with the answer that is under way, and all of them after the deadline. Resolves once none is
   * left.
   */
  async end(deadlineMs: number): Promise<void> {
    this.#isEnding = true;
    const timer = setTimeout(() => this.server.closeAllConnections(), deadlineMs);
    // Also closes those that are idle; an error says that it does not listen, and then there are none.
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
    clearTimeout(timer);
  }
}
