import { type INestApplication } from '@nestjs/common';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { HOUR_MS } from '../../common/durations.js';
import { isRecord } from '../../common/is-record.js';
import { LogLimit } from '../../common/log-limit.js';
import { PaymentsLog } from '../../common/payments-log.js';
import { PaymentsConfigurationError } from '../../common/payments.errors.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import { collectBody, isHarmless, isJsonType, MAX_BODY_BYTES } from './body-limits.js';
import { RouteCheck } from './route-check.js';
import { NOT_A_SENDER, SenderGuard, type SentRequest } from './sender.guard.js';

/** On a request: its body's bytes, once the door has checked their type, their size and their shape. */
export const ADMITTED = Symbol('admitted by the webhook door');

export type AdmittedRequest = SentRequest & { [ADMITTED]?: Buffer };

export interface ProtectWebhookOptions {
  /** How long a body may take to arrive, in ms. Default 10,000. */
  bodyTimeoutMs?: number;
}

/** A line an hour is enough for what each notification shows anew. */
const TOO_LATE_LOG_MS = HOUR_MS;
/** How long the rest of a refused body is read and discarded, so that its sender gets to read the answer. */
const LINGER_MS = 2_000;
/** Of a longer path no more is examined. */
const LONGEST_PATH = 2_048;
/** Characters that routers take as the end of a path's part, some of them only in certain configurations. */
const SEPARATORS = /[/\\;?#]/;

/** As Express passes it to middleware; its own parser leaves a request alone whose body has been read. */
type WebhookRequest = AdmittedRequest & { body?: unknown };

/** The part of Fastify that is used. */
interface FastifyInstance {
  addHook(
    name: 'preParsing',
    hook: (
      request: { readonly raw: AdmittedRequest },
      reply: unknown,
      payload: Readable,
      done: (error: null, payload: Readable) => void,
    ) => void,
  ): unknown;
}

/**
 * Stands before the host's own parser at the webhook route, on Express and Fastify alike. Who may not send is answered 403 before
 * any of the body is read; with a `webhookSecret` that is whoever comes without it, and nothing behind the door sees the secret. Of all others bodies are JSON only, not compressed, at most 65,536 bytes, within `bodyTimeoutMs`;
 * everything else is answered at once (400, 408, 413, 415), and no answer repeats a word of it. Other routes are left alone, and so
 * are the server's own time limits. Call it right after `NestFactory.create()`.
 * @throws PaymentsConfigurationError if the module is missing, or the application is started already
 * @example const app = await NestFactory.create(AppModule); protectWebhook(app); await app.listen(3000);
 */
export function protectWebhook(app: INestApplication, options: ProtectWebhookOptions = {}): void {
  const bodyTimeoutMs = options.bodyTimeoutMs ?? 10_000;
  if (!Number.isSafeInteger(bodyTimeoutMs) || bodyTimeoutMs < 100 || bodyTimeoutMs > 120_000)
    throw new PaymentsConfigurationError([
      'bodyTimeoutMs must be whole milliseconds from 100 to 120000, two minutes',
    ]);
  const { route, guard } = partsOf(app);
  route.doorInstalled();
  const logger = new PaymentsLog();
  const tooLate = new LogLimit(TOO_LATE_LOG_MS);
  const admit = async (request: WebhookRequest, response: ServerResponse, next: () => void) => {
    if (request.readableEnded && tooLate.take() !== null)
      logger.warn(
        "A middleware of your own read a notification's body before the webhook's door could bound its size and time. Call " +
          'protectWebhook(app) right after NestFactory.create(), before app.use(express.json()) and the like.',
      );
    const bytes = await take(request, response, bodyTimeoutMs);
    if (!bytes) return;
    request[ADMITTED] = bytes;
    next();
  };
  let known: readonly string[] | null = null;
  // The host's prefix may be set later than this, and is what it is once there are requests.
  const paths = () => (known ??= route.paths);
  if (guard.hasSecret)
    route.whenServed(seeRequests(app.getHttpServer(), (request) => guard.takeSecret(request, paths())));
  app.use((request: WebhookRequest, response: ServerResponse, next: () => void) => {
    const goal = request.method === 'POST' ? goalOf(paths(), request.url ?? '') : 'elsewhere';
    if (goal === 'elsewhere') next();
    // The connection and the headers say who sends: nobody waits for the body of a stranger, and nobody keeps it. Where the path may be
    // another route's, the guard asks once it is known.
    else if (goal === 'webhook' && !guard.admits(request)) refuse(request, response, 403, NOT_A_SENDER);
    else void admit(request, response, next);
  });
  const server: unknown = app.getHttpAdapter().getInstance();
  if (!isFastify(server)) return;
  // Fastify parses the bytes itself: middleware has no other way to pass it a body that has been read.
  server.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    const bytes = raw[ADMITTED];
    done(null, bytes ? Readable.from([bytes], { objectMode: false }) : payload);
  });
}

/** On this channel Node tells of each request of HTTP/1 that a server of the process gets, before the server hands it to anybody. */
const REQUESTS = 'http.server.request.start';

/**
 * Sees each request of an application before all else does. One application may have several servers, which hand their requests to the
 * same function: Fastify has one for each address of `localhost`, and a host may serve HTTP and HTTPS beside each other. The result ends it.
 */
function seeRequests(main: EventEmitter, see: (request: SentRequest) => void): () => void {
  const begun = (message: unknown) => {
    const { request, server } = isRecord(message) ? message : {};
    if (request instanceof IncomingMessage && server instanceof EventEmitter && isAlike(server, main))
      see(request);
  };
  subscribe(REQUESTS, begun);
  // Those of HTTP/2 are on no such channel.
  main.prependListener('request', see);
  return () => void unsubscribe(REQUESTS, begun);
}

function isAlike(server: EventEmitter, main: EventEmitter): boolean {
  const handlers = main.listeners('request');
  return server === main || server.listeners('request').some((handler) => handlers.includes(handler));
}

/** The body's bytes; undefined if the request has been answered instead. */
async function take(
  request: WebhookRequest,
  response: ServerResponse,
  timeoutMs: number,
): Promise<Buffer | undefined> {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers;
  if (!isJsonType(type) || encoding !== 'identity')
    return refuse(request, response, 415, 'Notifications are JSON in UTF-8, not compressed.');
  const body = request.readableEnded ? readBefore(request) : await collectBody(request, timeoutMs);
  if (body === 'gone') return undefined;
  if (body === 'too large')
    return refuse(request, response, 413, `A notification has at most ${MAX_BODY_BYTES} bytes.`);
  if (body === 'too slow') return refuse(request, response, 408, 'The body took too long to arrive.');
  try {
    const parsed: unknown = JSON.parse(body.toString());
    if (isHarmless(parsed)) {
      request.body = parsed;
      return body;
    }
  } catch {
    // Not even JSON.
  }
  return refuse(request, response, 400, 'The body is not a notification.');
}

/** What a middleware that came first has made of the body; its stream gives nothing any more. */
function readBefore({ body }: WebhookRequest): Buffer | 'too large' {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  return bytes.length > MAX_BODY_BYTES ? 'too large' : bytes;
}

/** Answers a request whose body will not be used; the connection ends soon if there is more of it. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  statusCode: number,
  message: string,
): undefined {
  const text = JSON.stringify({ statusCode, message });
  response.writeHead(statusCode, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
  if (request.complete) return undefined;
  // A request that has been answered gets no event that its connection is gone.
  const { socket } = request;
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  const stop = () => {
    clearTimeout(timer);
    socket.off('close', stop);
  };
  socket.once('close', stop);
  request.once('end', stop).resume();
  return undefined;
}

/**
 * Where a request target leads: to one of these paths or below it; perhaps there, by a router that reads it in another way or has a
 * prefix of its own; or elsewhere. Routers differ in what they normalise: capitals, escapes, doubled slashes, `;`, `..`, a whole
 * address. So this reads each of them as a router might, and what cannot be read may lead anywhere. Takes time in proportion to the
 * target.
 */
export function goalOf(paths: readonly string[], target: string): 'webhook' | 'perhaps' | 'elsewhere' {
  const own = paths.map(joined);
  const path = pathOf(target);
  const { text, isWhole } = decoded(path);
  const given = joined(text);
  if (own.some((one) => given.startsWith(one))) return 'webhook';
  if (!isWhole || given.includes('/../')) return 'perhaps';
  // Parsers disagree where the path of a whole address begins.
  const anywhere = target.startsWith('/') ? given : joined(decoded(target).text);
  return own.some((one) => anywhere.includes(one)) ? 'perhaps' : 'elsewhere';
}

/** Without the query and, of a whole address, without what comes before the path. */
function pathOf(target: string): string {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/\\?#]*/i, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** With its escapes read, as far as anybody can: of a text that is too long only the beginning, of broken escapes those that mean ASCII. */
function decoded(whole: string): { text: string; isWhole: boolean } {
  const text = whole.slice(0, LONGEST_PATH);
  try {
    return { text: decodeURIComponent(text), isWhole: text === whole };
  } catch {
    const ascii = text.replace(/%[0-7][\da-f]/gi, (escape) => decodeURIComponent(escape));
    return { text: ascii, isWhole: false };
  }
}

/** Its parts, each between two slashes; empty ones and dots are dropped. */
function joined(path: string): string {
  const parts = path
    .toLowerCase()
    .split(SEPARATORS)
    .filter((part) => part !== '' && part !== '.');
  return `/${parts.join('/')}/`;
}

function partsOf(app: INestApplication): { readonly route: RouteCheck; readonly guard: SenderGuard } {
  let parts: { readonly route: RouteCheck; readonly guard: SenderGuard };
  let started: boolean;
  try {
    parts = { route: app.get(RouteCheck, { strict: false }), guard: app.get(SenderGuard, { strict: false }) };
    started = app.get(StoreRegistry, { strict: false }).isOpen;
  } catch {
    throw new PaymentsConfigurationError([
      'protectWebhook() found no PaymentsModule: import it into the application',
    ]);
  }
  if (started)
    throw new PaymentsConfigurationError([
      "protectWebhook() comes too late, behind the host's own parser: call it right after NestFactory.create(), before app.init() and app.listen()",
    ]);
  return parts;
}

function isFastify(server: unknown): server is FastifyInstance {
  return typeof server === 'object' && server !== null && 'addHook' in server;
}
