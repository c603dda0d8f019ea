import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { request, Server, type IncomingMessage } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { PaymentsLog } from '../../common/payments-log.js';
import {
  RESOLVED_OPTIONS,
  WEBHOOK_PATH,
  type ResolvedPaymentsOptions,
} from '../../options/payments.module-definition.js';

/** On a request that this process made to itself. Nobody else can write it: no header or body becomes a symbol. */
export const OWN = Symbol('a notification of this process to itself');

interface OwnNotification {
  /** Whether it reached the controller, and would have been stored if it were another's. */
  isTaken: boolean;
}

export type OwnRequest = IncomingMessage & { [OWN]?: OwnNotification };

/** What became of it: a status; `late`, with no answer in time; `unknown`, because this kind of server cannot be asked. */
interface OwnAnswer {
  readonly status: number | 'late' | 'unknown';
  readonly isTaken: boolean;
}

/**
 * Notices an application whose own guards, middleware or interceptors answer notifications: the service would repeat them for a
 * day and give up, and nobody would see it. A warning, since only the host can tell whether what stands in front means the service.
 * And one that takes connections without the door, or lets a sender take all day for a request's headers, which no door sees.
 */
@Injectable()
export class RouteCheck implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  readonly #logger = new PaymentsLog();
  readonly #closing = new AbortController();
  #hasDoor = false;
  #end: () => void = () => undefined;

  constructor(
    private readonly http: HttpAdapterHost,
    private readonly config: ApplicationConfig,
    @Inject(WEBHOOK_PATH) private readonly webhookPath: string,
    @Inject(RESOLVED_OPTIONS) private readonly options: ResolvedPaymentsOptions,
  ) {}

  /** Where the webhook is: below the host's prefix, or without it, since a host may exclude routes from it. */
  get paths(): readonly string[] {
    const prefix = this.config.getGlobalPrefix();
    return [...new Set([joined(prefix, this.webhookPath), joined(this.webhookPath)])];
  }

  doorInstalled(): void {
    this.#hasDoor = true;
  }

  /** What the door has to end once there are no requests any more. */
  whenServed(end: () => void): void {
    this.#end = end;
  }

  /** Not before it listens: what only sweeps, and most tests of a host's own, take no notifications. */
  onApplicationBootstrap(): void {
    this.http.listen$.subscribe(() => {
      const server: unknown = this.http.httpAdapter.getHttpServer();
      const given = { hasDoor: this.#hasDoor, hasSecret: this.options.webhookSecret !== null };
      for (const line of serverAdvice(server, given)) this.#logger.warn(line);
      void this.#look(server);
    });
  }

  onModuleDestroy(): void {
    this.#closing.abort();
  }

  /** Nest has closed the server by then. */
  onApplicationShutdown(): void {
    this.#end();
  }

  async #look(server: unknown): Promise<void> {
    const { signal } = this.#closing;
    const [sender = ''] = this.options.notificationSenders.map((network) => network.replace(/\/.*/, ''));
    const asked: { path: string; answer: OwnAnswer }[] = [];
    for (const path of this.paths) {
      const answer = await notifyOurselves(server, { path, sender, signal });
      if (signal.aborted) return;
      asked.push({ path, answer });
      if (answer.isTaken) break;
    }
    // Where the host excludes the route from its prefix, nothing is at the first path.
    const told = asked.find(({ answer }) => answer.status !== 404) ?? asked[0];
    if (!told) return;
    const advice = routeAdvice(told.path, told.answer, this.#globalGuards());
    if (advice !== null) this.#logger.warn(advice);
    else if (told.answer.isTaken) {
      const secret = this.options.webhookSecret === null ? '' : ', followed by / and the webhookSecret';
      this.#logger.log(`Notifications are taken at ${told.path}${secret}.`);
    }
  }

  #globalGuards(): string[] {
    const made = this.config.getGlobalGuards().map((guard) => guard.constructor.name);
    return [...made, ...this.config.getGlobalRequestGuards().map(({ name }) => String(name))];
  }
}

function joined(...paths: readonly string[]): string {
  return `/${paths
    .flatMap((path) => path.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}

/** What to change of an HTTP server and of what stands before the webhook. The server is the host's: nothing of it is set here. */
export function serverAdvice(
  server: unknown,
  { hasDoor, hasSecret }: { readonly hasDoor: boolean; readonly hasSecret: boolean },
): string[] {
  const lines: string[] = [];
  if (!hasDoor && hasSecret)
    lines.push(
      'Every notification is refused: it is protectWebhook(app) that finds the webhookSecret in the path. Call it right after NestFactory.create().',
    );
  if (!hasDoor)
    lines.push(
      'The webhook route is open without protectWebhook(): bodies of any sender reach your own parser, under its limits of size and time, ' +
        'before anybody asks who sends. Call protectWebhook(app) right after NestFactory.create().',
    );
  if (server instanceof Server && server.headersTimeout === 0)
    lines.push(
      "The HTTP server waits for a request's headers for ever (headersTimeout is 0): a sender that never ends them keeps a connection, at " +
        'the webhook as everywhere. Set app.getHttpServer().headersTimeout, such as 60_000.',
    );
  return lines;
}

/** What to change if notifications to this path are not answered 200; null: they are, or nobody can tell. */
export function routeAdvice(
  path: string,
  { status, isTaken }: OwnAnswer,
  globalGuards: readonly string[],
): string | null {
  if (status === 'unknown' || (isTaken && status === 200)) return null;
  if (status === 'late')
    return (
      `A notification to ${path} is not answered: a guard, middleware or interceptor of the application neither answers nor passes ` +
      'it on. Have it leave this path alone.'
    );
  const answered = `A notification to ${path} is answered ${status}`;
  if (isTaken)
    return (
      `${answered} once it is stored, by an interceptor or filter of the application, and the service repeats for 24 hours what is not answered ` +
      '200. Have it leave this path alone.'
    );
  if (status === 400 || status === 415)
    return `${answered}, because it does not arrive as JSON. Call protectWebhook(app) right after NestFactory.create(), before any parser of your own.`;
  if (status === 404)
    return (
      `${answered}, before the module sees it: a route or middleware of the application takes this path. Move it, or the webhook ` +
      '(the option webhookPath).'
    );
  const guards = globalGuards.length === 0 ? '' : ` Global guards: ${globalGuards.join(', ')}.`;
  return (
    `${answered} by a guard or middleware of the application, before the module sees it. Mark the route as public for the guard ` +
    `(webhookDecorators: [Public()], beside webhookPath), or have the middleware leave this path alone.${guards}`
  );
}

interface Question {
  readonly path: string;
  /** An address that may send notifications. */
  readonly sender: string;
  readonly signal: AbortSignal;
}

/** As {@link OwnAnswer} says: longer than a body may take to arrive at the door. */
const LATE_MS = 15_000;
const BODY = JSON.stringify({
  type: 'notification',
  event: 'payment.succeeded',
  object: { id: '00000000-0000-0000-0000-000000000000' },
});

/**
 * Sends a notification through this very server, as a proxy with TLS on this machine would pass it on, and tells how it is
 * answered. It takes no network and no port: Node serves any stream that is given to a server as a connection. So it reaches
 * this process and no other replica, whatever stands in front, and behind TLS no certificate matters.
 */
export async function notifyOurselves(
  server: unknown,
  { path, sender, signal }: Question,
): Promise<OwnAnswer> {
  const own: OwnNotification = { isTaken: false };
  const event = connectionEvent(server);
  if (event === null) return { status: 'unknown', isTaken: false };
  const [ours, theirs] = duplexPair();
  // What middleware reads of a connection.
  Object.assign(theirs, { remoteAddress: '127.0.0.1', remoteFamily: 'IPv4', remotePort: 1 });
  // A pair passes an end on, and no break.
  theirs.on('close', () => void (theirs.writableFinished || ours.destroy()));
  const mark = (incoming: IncomingMessage) => {
    if (incoming.socket === theirs) Object.assign(incoming, { [OWN]: own });
  };
  event.server.prependListener('request', mark);
  try {
    event.server.emit(event.name, theirs);
    const status = await statusOf(ours, { path, sender, signal });
    return { status, isTaken: own.isTaken };
  } catch {
    return { status: 'unknown', isTaken: false };
  } finally {
    event.server.off('request', mark);
    ours.destroy();
    theirs.destroy();
  }
}

/** The event by which a server gets a connection whose bytes are HTTP. */
function connectionEvent(server: unknown): { server: Server | TlsServer; name: string } | null {
  if (server instanceof Server) return { server, name: 'connection' };
  return server instanceof TlsServer ? { server, name: 'secureConnection' } : null;
}

function statusOf(connection: Duplex, { path, sender, signal }: Question): Promise<number | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('late'), LATE_MS);
    timer.unref();
    const sent = request({
      createConnection: () => connection,
      method: 'POST',
      path,
      signal,
      headers: {
        Host: 'localhost',
        Connection: 'close',
        'User-Agent': '@holdfast/payments',
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(BODY),
        'X-Forwarded-For': sender,
        'X-Forwarded-Proto': 'https',
      },
    });
    sent.on('close', () => clearTimeout(timer));
    sent.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 'late');
    });
    sent.on('error', reject);
    sent.end(BODY);
  });
}
