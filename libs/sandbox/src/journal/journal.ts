import type { RequestHandler, Response } from 'express';
import type { SandboxClock } from '../clock/clock.js';
import { withoutCardNumbers } from '../common/card-numbers.js';
import type { Changes } from './changes.js';
import type { DeliveryReport, Exchange, RequestReport } from './exchange.js';

/** As many requests as a person looks back at. */
const MOST_KEPT = 500;
/** Longer than any path of the interface, and as long as a valid key or id may be. */
const LONGEST_PATH = 200;
const LONGEST_KEY = 64;

/** What is learned about a request while it is served. */
type Learned = Partial<Pick<RequestReport, 'operation' | 'accountId' | 'paymentId' | 'fault'>>;

interface Dependencies {
  readonly clock: Pick<SandboxClock, 'now'>;
  readonly changes: Changes;
  /** Called once for each request that is over and each notification that was sent. */
  readonly watch: (exchange: Exchange) => void;
}

/** The newest requests. They are kept without bodies and credentials: what a client sent may be a card. */
export class Journal {
  #requests: RequestReport[] = [];
  readonly #open = new WeakMap<Response, RequestReport>();

  constructor(private readonly dependencies: Dependencies) {}

  /** Newest first. */
  requests(): readonly RequestReport[] {
    return this.#requests.toReversed();
  }

  /** Keeps every request that comes this way. */
  readonly recorder: RequestHandler = (request, response, next) => {
    const key = request.get('Idempotence-Key') ?? '';
    const report: RequestReport = {
      kind: 'request',
      at: this.dependencies.clock.now().toISOString(),
      method: request.method,
      path: shown(request.originalUrl.split('?', 1).join(''), LONGEST_PATH),
      operation: null,
      accountId: null,
      requestKey: key === '' ? null : shown(key, LONGEST_KEY),
      paymentId: null,
      status: null,
      end: 'waiting',
      fault: null,
    };
    this.#requests.push(report);
    if (this.#requests.length > MOST_KEPT) this.#requests.shift();
    this.#open.set(response, report);
    this.dependencies.changes.announce();
    response.once('close', () => this.#end(response));
    next();
  };

  /** Adds what is known by now of the request that this response answers. */
  learned(response: Response, facts: Learned): void {
    const report = this.#open.get(response);
    if (!report) return;
    const { paymentId } = facts;
    this.#replace(response, report, {
      ...facts,
      ...(paymentId && { paymentId: shown(paymentId, LONGEST_KEY) }),
    });
  }

  /** A notification was sent, or a fault kept it back. */
  delivered(delivery: Omit<DeliveryReport, 'kind'>): void {
    this.dependencies.watch({ kind: 'notification', ...delivery });
    this.dependencies.changes.announce();
  }

  #end(response: Response): void {
    const report = this.#open.get(response);
    if (!report) return;
    const ended = this.#replace(response, report, {
      status: response.headersSent ? response.statusCode : null,
      end: response.writableFinished ? 'answered' : 'cut',
    });
    this.#open.delete(response);
    this.dependencies.watch(ended);
    this.dependencies.changes.announce();
  }

  #replace(response: Response, old: RequestReport, changed: Partial<RequestReport>): RequestReport {
    const report = { ...old, ...changed };
    const index = this.#requests.lastIndexOf(old);
    if (index !== -1) this.#requests[index] = report;
    this.#open.set(response, report);
    return report;
  }
}

/** Texts of the client: it may have put a card's number where none belongs. */
function shown(text: string, longest: number): string {
  return withoutCardNumbers(text.slice(0, longest));
}
