import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.js';

const FINISH = /^.*\/([^/]+)\/(capture|cancel)$/;

/** Stands in front of the service and passes everything on. */
export interface ServiceProxy {
  readonly url: string;
  /** While true, a capture or cancel is not passed on and is answered with the payment's present state. */
  idle: boolean;
  /** So many objects has a page of a list, at most; null: as many as are asked for. */
  pageSize: number | null;
  /** Applied to every object and list in an answer; imitates a faulty service. */
  rewrite: Rewrite;
  /** What was sent to it, the oldest first. */
  readonly received: { readonly method: string; readonly url: string; readonly body: string }[];
  close(): Promise<void>;
}

export type Rewrite = (object: Record<string, unknown>) => Record<string, unknown>;

export const asItIs: Rewrite = (object) => object;

/** Returns these in place of the items of a list. */
export function itemsAs(shown: (item: Record<string, unknown>) => Record<string, unknown>[]): Rewrite {
  return (object) =>
    Array.isArray(object['items']) ? { ...object, items: object['items'].flatMap(shown) } : object;
}

export async function startServiceProxy(serviceUrl: string): Promise<ServiceProxy> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', headers } = request;
    const url = sized(request.url ?? '/', proxy.pageSize);
    const { authorization = '', 'idempotence-key': key } = headers;
    const body = await text(request);
    proxy.received.push({ method, url, body });
    const passed =
      proxy.idle && FINISH.test(url)
        ? await fetch(`${serviceUrl}${url.replace(FINISH, '/v3/payments/$1')}`, {
            headers: { authorization },
          })
        : await fetch(`${serviceUrl}${url}`, {
            method,
            headers: {
              authorization,
              ...(typeof key === 'string' && { 'Idempotence-Key': key, 'Content-Type': 'application/json' }),
            },
            ...(body !== '' && { body }),
          });
    const said = await passed.text();
    const rewritten = passed.status === 200 ? JSON.stringify(proxy.rewrite(JSON.parse(said))) : said;
    const date = passed.headers.get('Date');
    const passedOn = { 'Content-Type': 'application/json', ...(date !== null && { Date: date }) };
    response.writeHead(passed.status, passedOn).end(rewritten);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = await listen(server);
  const proxy: ServiceProxy = {
    url: `http://127.0.0.1:${port}`,
    idle: false,
    pageSize: null,
    rewrite: asItIs,
    received: [],
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return proxy;
}

function sized(url: string, pageSize: number | null): string {
  return pageSize === null ? url : url.replace(/([?&]limit=)\d+/, `$1${pageSize}`);
}
