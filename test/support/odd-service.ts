import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.js';

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer: a status with a body, or a listener. */
export type OddAnswer = readonly [status: number, body: unknown] | RequestListener;

/** A service that gives the answers it is set to, and keeps the requests it received. */
export interface OddService {
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** The next answers, one by one; the last one is repeated. */
  answers: OddAnswer[];
  close(): Promise<void>;
}

export async function startOddService(...answers: OddAnswer[]): Promise<OddService> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    service.received.push({ method, url, headers, body: await text(request) });
    const [next] = service.answers.length > 1 ? service.answers.splice(0, 1) : service.answers;
    if (typeof next === 'function') next(request, response);
    else response.writeHead(next?.[0] ?? 500).end(JSON.stringify(next?.[1] ?? {}));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listen(server);
  const service: OddService = {
    url: `http://127.0.0.1:${port}`,
    received: [],
    answers,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return service;
}
