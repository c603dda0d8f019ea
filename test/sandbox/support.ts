import { startSandbox, type Sandbox, type SandboxOptions } from '@holdfast/sandbox';
import { once } from 'node:events';
import http from 'node:http';
import { canaries } from '../support/canaries.js';

export const shop = { shopId: 'test_shop', secretKey: canaries.secretKey };
export const basic = basicOf(shop);

/** A shop with a store that is not a demo store: it has every payment method. */
export const realShop = { shopId: '4711', secretKey: canaries.secretKey };
export const token = canaries.accessToken;
export const bearer = `Bearer ${token}`;

/** JSON of unknown shape, for expectations only. */
export type Json = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly body: Json;
}

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** A sandbox that is closed after the test. */
export async function started(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ ...shop, ...options });
  open.push(() => sandbox.close());
  return sandbox;
}

export async function call(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  const body: unknown = text === '' ? {} : JSON.parse(text);
  return { status: response.status, body: isJson(body) ? body : {} };
}

export function post(
  sandbox: Sandbox,
  path: string,
  key: string,
  body?: unknown,
  authorization = basic,
): Promise<Reply> {
  return call(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { Authorization: authorization, 'Idempotence-Key': key, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

export function get(sandbox: Sandbox, path: string, authorization = basic): Promise<Reply> {
  return call(`${sandbox.url}${path}`, { headers: { Authorization: authorization } });
}

export function basicOf({ shopId, secretKey }: { shopId: string; secretKey: string }): string {
  return `Basic ${Buffer.from(`${shopId}:${secretKey}`).toString('base64')}`;
}

export function control(sandbox: Sandbox, path: string, body?: unknown, method = 'POST'): Promise<Reply> {
  return call(`${sandbox.url}/sandbox${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

export function order(overrides: Json = {}): Json {
  return {
    amount: { value: '1234.50', currency: 'RUB' },
    confirmation: { type: 'redirect', return_url: 'http://shop.test/back' },
    ...overrides,
  };
}

let keys = 0;

/** The id of a new payment. */
export async function pending(sandbox: Sandbox, overrides: Json = {}): Promise<string> {
  const { body } = await post(sandbox, '/v3/payments', `new-${(keys += 1)}`, order(overrides));
  return String(body['id']);
}

/** The id of a payment that is held. */
export async function held(sandbox: Sandbox, overrides: Json = {}): Promise<string> {
  const id = await pending(sandbox, overrides);
  sandbox.payments.pay(id, { outcome: 'succeed' });
  return id;
}

/** The id of a payment that succeeded. */
export function paid(sandbox: Sandbox, overrides: Json = {}): Promise<string> {
  return held(sandbox, { capture: true, ...overrides });
}

/** The service's answer to a wrong field. */
export function refusal(parameter: string): Reply {
  const body = { type: 'error', code: 'invalid_request', description: expect.any(String), parameter };
  return { status: 400, body };
}

interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Json;
}

/** A merchant's server: keeps what arrives, answers with the given status (default 200). */
export async function receiver(
  answer: (count: number) => number | 'never' = () => 200,
  headers: http.OutgoingHttpHeaders = {},
  address: '127.0.0.1' | '::1' = '127.0.0.1',
): Promise<{ url: string; received: Received[]; events: () => unknown[] }> {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(text);
      received.push({ headers: request.headers, body: isJson(body) ? body : {} });
      const status = answer(received.length);
      if (status !== 'never') response.writeHead(status, headers).end('ignored');
    });
  });
  server.listen(0, address);
  await once(server, 'listening');
  open.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const bound = server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  return {
    received,
    url: `http://${address === '::1' ? '[::1]' : address}:${port}/hook`,
    events: () => received.map(({ body }) => body['event']),
  };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
