/** The service of every contender: answers at once or after a latency, as quickly as Node can, and counts. */
import { randomUUID } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { Gate } from './gate.js';
import { account, paymentObject, type Amount, type PaymentState } from './payment-object.js';
import { post } from './post.js';

export type Service = Awaited<ReturnType<typeof open>>;

interface Known extends PaymentState {
  readonly amount: Amount;
  readonly metadata: Readonly<Record<string, string>>;
}

/** With or without `payments` before a capture, as profiles differ. */
const FINISH = /^\/v3\/(?:payments\/)?([^/?]+)\/(capture|cancel)$/;
const PAYMENT = /^\/v3\/payments\/([^/?]+)$/;

/** The amount of payments that nobody created here. */
const STRANGERS_SUM: Amount = { value: '100.00', currency: 'RUB' };

export async function open() {
  const known = new Map<string, Known>();
  const counts = { requests: 0, refused: 0 };
  let [firstAt, lastAt] = [0, 0];
  let latencyMs = 0;
  const gate = new Gate();
  let strangers: PaymentState['status'] = 'succeeded';
  let hanging: ReadonlySet<string> = new Set();
  let hangingStores: ReadonlySet<string> = new Set();
  let refuseNext = 0;
  let notifyUrl: URL | null = null;
  const agent = new Agent({ keepAlive: true });

  const server = createServer((message, response) => {
    counts.requests += 1;
    lastAt = performance.now();
    if (counts.requests === 1) firstAt = lastAt;
    answer(message, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  const url = `http://127.0.0.1:${await listen(server)}`;

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '' } = message;
    const [, id, finish] = FINISH.exec(path) ?? PAYMENT.exec(path) ?? [];
    const shop = shopOf(message.headers.authorization);
    if ((id !== undefined && hanging.has(id)) || hangingStores.has(shop)) return;
    const sent = method === 'POST' ? await text(message) : '';
    await gate.pass(() => (latencyMs > 0 ? delay(latencyMs) : Promise.resolve()));
    if (refuseNext > 0) {
      refuseNext -= 1;
      counts.refused += 1;
      return end(response, 429, JSON.stringify({ type: 'error', code: 'too_many_requests' }));
    }
    if (id !== undefined) return end(response, 200, shown(id, finish, shop));
    if (method === 'GET') return end(response, 200, '{"type":"list","items":[]}');
    const body: {
      amount?: Amount;
      metadata?: Record<string, string>;
      capture?: boolean;
      payment_id?: string;
    } = JSON.parse(sent === '' ? '{}' : sent);
    const amount = body.amount ?? STRANGERS_SUM;
    if (path === '/v3/refunds') {
      const refund = {
        id: randomUUID(),
        payment_id: body.payment_id,
        status: 'succeeded',
        amount,
        created_at: new Date(),
      };
      return end(response, 200, JSON.stringify(refund));
    }
    const made = randomUUID();
    const payment: Known = {
      status: 'pending',
      capture: body.capture ?? false,
      amount,
      metadata: body.metadata ?? {},
    };
    known.set(made, payment);
    end(response, 200, paymentObject({ id: made, shop, ...payment }));
  }

  function shown(id: string, finish: string | undefined, shop: string): string {
    const payment = known.get(id) ?? {
      status: strangers,
      capture: true,
      amount: STRANGERS_SUM,
      metadata: {},
    };
    if (finish !== undefined) {
      const status = finish === 'capture' ? 'succeeded' : 'canceled';
      known.set(id, { ...payment, status });
      return paymentObject({ id, shop, ...payment, status });
    }
    return paymentObject({ id, shop, ...payment });
  }

  function notify(id: string, payment: Known): Promise<number> {
    if (notifyUrl === null) throw new Error('Nobody is to be notified.');
    const event = payment.status === 'succeeded' ? 'payment.succeeded' : 'payment.waiting_for_capture';
    const object = paymentObject({ id, shop: account.shopId, ...payment });
    const body = `{"type":"notification","event":"${event}","object":${object}}`;
    return post(notifyUrl, body, agent);
  }

  return {
    url: () => url,
    setLatency: (ms: number) => void (latencyMs = ms),
    /** Further requests than this many at once queue; null: no limit. */
    setAtOnce: (most: number | null) => gate.open(most ?? Infinity),
    /** The status of payments that nobody created here. */
    showStrangers: (status: PaymentState['status']) => void (strangers = status),
    setNotifyUrl: (to: string) => void (notifyUrl = new URL(to)),
    /** Reads of these payments, and every request of these shops, are never answered. */
    hang: ({ payments = [], shops = [] }: { payments?: readonly string[]; shops?: readonly string[] }) => {
      hanging = new Set(payments);
      hangingStores = new Set(shops);
    },
    refuse: (times: number) => void (refuseNext = times),
    /** The buyer pays, and the shop is notified. */
    async pay(id: string): Promise<void> {
      const payment = known.get(id);
      if (!payment) throw new Error(`There is no payment ${id}.`);
      const paid = { ...payment, status: payment.capture ? 'succeeded' : 'waiting_for_capture' } as const;
      known.set(id, paid);
      while ((await notify(id, paid)) !== 200) await delay(20);
    },
    /** `spanMs`: from the first request to the last. */
    counts: () => ({ ...counts, mostAtOnce: gate.most, spanMs: lastAt - firstAt }),
    forget: () => {
      Object.assign(counts, { requests: 0, refused: 0 });
      gate.forget();
      [firstAt, lastAt] = [0, 0];
      known.clear();
    },
    close: () => server.close(),
  };
}

function end(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** The user name of HTTP Basic, or the token of a connected store. */
function shopOf(authorization = ''): string {
  const [scheme, value = ''] = authorization.split(' ');
  if (scheme !== 'Basic') return value.replace(/^token_/, '');
  return Buffer.from(value, 'base64').toString().split(':')[0] ?? '';
}

/** Listens on a free port of 127.0.0.1 and returns it. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('no free port'));
    });
  });
}
