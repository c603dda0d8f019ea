import { type INestApplication } from '@nestjs/common';
import type { Server, ServerResponse, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { HOUR_MS } from '../../common/durations.js';
import { LogLimit } from '../../common/log-limit.js';
import { PaymentsLog } from '../../common/payments-log.js';
import { PaymentsConfigurationError } from '../../common/payments.errors.js';
import { WEBHOOK_PATH } from '../../options/payments.module-definition.js';
import { StoreRegistry } from '../../stores/store.registry.js';
import { isHarmless, isJsonType, MAX_BODY_BYTES } from './body-limits.js';
import { collectBody } from './collect-body.js';
import { DoorCheck } from './door-check.js';
import type { OWN, OwnNotification } from './own-notification.js';
import { refuse } from './refuse.js';
import { mayLeadTo } from './webhook-target.js';

/** On a request: its body's bytes, once the door has checked their type, their size and their shape. */
export const ADMITTED = Symbol('admitted by the webhook door');

/** On the request itself: a weak map beside it takes a twentieth of the cost of a notification. */
export type AdmittedRequest = IncomingMessage & { [ADMITTED]?: Buffer; [OWN]?: OwnNotification };

export interface ProtectWebhookOptions {
  /** How long a body may take to arrive, in ms. Default 10,000. */
  bodyTimeoutMs?: number;
}

/** A line an hour is enough for what each notification shows anew. */
const TOO_LATE_LOG_MS = HOUR_MS;

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
 * Takes the bodies sent to the webhook route before the host's own parser does, on Express and Fastify alike: JSON only, not
 * compressed, at most 65,536 bytes, within `bodyTimeoutMs`; everything else is answered at once (400, 408, 413, 415), and no
 * answer repeats a word of it. Other routes are left alone. Call it right after `NestFactory.create()`. A server without time
 * limits for headers and whole requests, as Fastify makes it, gets Node's own: 60 seconds and 300.
 * @throws PaymentsConfigurationError if the module is missing, or the application is started already
 * @example const app = await NestFactory.create(AppModule); protectWebhook(app); await app.listen(3000);
 */
export function protectWebhook(app: INestApplication, options: ProtectWebhookOptions = {}): void {
  const bodyTimeoutMs = options.bodyTimeoutMs ?? 10_000;
  if (!Number.isSafeInteger(bodyTimeoutMs) || bodyTimeoutMs < 100 || bodyTimeoutMs > 120_000)
    throw new PaymentsConfigurationError([
      'bodyTimeoutMs must be whole milliseconds from 100 to 120000, two minutes',
    ]);
  const path = webhookPathOf(app);
  limitServer(app.getHttpServer());
  app.get(DoorCheck, { strict: false }).installed();
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
  app.use((request: WebhookRequest, response: ServerResponse, next: () => void) => {
    if (request.method === 'POST' && mayLeadTo(path, request.url ?? '')) void admit(request, response, next);
    else next();
  });
  const server: unknown = app.getHttpAdapter().getInstance();
  if (!isFastify(server)) return;
  // Fastify parses the bytes itself: middleware has no other way to pass it a body that has been read.
  server.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    const bytes = raw[ADMITTED];
    done(null, bytes ? Readable.from([bytes], { objectMode: false }) : payload);
  });
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
  const body = request.readableEnded
    ? readBefore(request)
    : await collectBody(request, { maxBytes: MAX_BODY_BYTES, timeoutMs });
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

function webhookPathOf(app: INestApplication): string {
  let path: string;
  let started: boolean;
  try {
    path = app.get<string>(WEBHOOK_PATH, { strict: false });
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
  return path;
}

/** Slow headers never reach a middleware. Zero, which Fastify sets, is no limit. */
function limitServer(server: Server): void {
  server.headersTimeout ||= 60_000;
  server.requestTimeout ||= 300_000;
}

function isFastify(server: unknown): server is FastifyInstance {
  return typeof server === 'object' && server !== null && 'addHook' in server;
}
