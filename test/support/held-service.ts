import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.js';

/** What is answered when somebody says so. */
export function later<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  const answer: { resolve?: (value: T) => void } = {};
  const promise = new Promise<T>((resolve) => {
    answer.resolve = resolve;
  });
  return { promise, resolve: (value) => answer.resolve?.(value) };
}

/** Where a request is held: on its way to the service, or its answer on the way back. */
export type HeldAt = 'request' | 'answer';

/** Stands in front of the service and holds requests on their way, whatever becomes of who sent them. */
export interface HeldService {
  readonly url: string;
  /** Holds the next request of that method to a path that ends so; by default the next create. `isHeld` resolves once it is there. */
  hold(at: HeldAt, which?: Which): { readonly isHeld: Promise<void>; readonly letGo: () => Promise<void> };
  close(): Promise<void>;
}

interface Which {
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

const CREATE: Which = { method: 'POST', path: '/payments' };

interface Hold extends Which {
  readonly at: HeldAt;
  readonly arrive: () => void;
  readonly isLetGo: Promise<void>;
  readonly pass: () => void;
}

export async function startHeldService(serviceUrl: string): Promise<HeldService> {
  let next: Hold | null = null;
  const wait = async (hold: Hold | null, at: HeldAt): Promise<void> => {
    if (hold?.at !== at) return;
    hold.arrive();
    await hold.isLetGo;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/', headers } = request;
    const body = await text(request);
    const hold = next?.method === method && url.endsWith(next.path) ? next : null;
    if (hold) next = null;
    await wait(hold, 'request');
    const { authorization = '', 'idempotence-key': key } = headers;
    const passed = await fetch(`${serviceUrl}${url}`, {
      method,
      headers: {
        authorization,
        ...(typeof key === 'string' && { 'Idempotence-Key': key, 'Content-Type': 'application/json' }),
      },
      ...(body !== '' && { body }),
    });
    const said = await passed.text();
    hold?.pass();
    await wait(hold, 'answer');
    response.writeHead(passed.status, { 'Content-Type': 'application/json' }).end(said);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    hold(at, which = CREATE) {
      const arrival = later<void>();
      const release = later<void>();
      const passage = later<void>();
      next = {
        at,
        ...which,
        arrive: () => arrival.resolve(),
        isLetGo: release.promise,
        pass: () => passage.resolve(),
      };
      return {
        isHeld: arrival.promise,
        async letGo() {
          release.resolve();
          await passage.promise;
        },
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
