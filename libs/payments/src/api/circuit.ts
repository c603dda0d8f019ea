import {
  ServiceCircuitOpenError,
  ServiceError,
  ServiceFailureError,
  ServiceNetworkError,
  ServiceTimeoutError,
  ServiceUnexpectedAnswerError,
  type ServiceErrorDetails,
} from './service-errors.js';

/** When the circuit breaker opens, and for how long. */
export interface CircuitOptions {
  /** Failures in a row that open it. Default 10. */
  readonly failures?: number;
  /** Time it stays open before one request is let through to try, in ms. Default 5,000. */
  readonly openMs?: number;
}

const DEFAULT_FAILURES = 10;
const DEFAULT_OPEN_MS = 5_000;

/**
 * Keeps a dead service from holding the application up. Two breakers in a row: one for the host, which counts
 * connections and timeouts of all stores, and one per store, which counts its 5xx and garbled answers too. So one
 * store the service chokes on closes no other, and a host that is gone is found out once, not once per store.
 * Anything else the service says (4xx, 429, 202) is a sign of life.
 */
export class Circuit {
  readonly #options: Required<CircuitOptions>;
  readonly #host: Breaker;
  readonly #stores = new Map<string | undefined, Breaker>();

  constructor({ failures = DEFAULT_FAILURES, openMs = DEFAULT_OPEN_MS }: CircuitOptions = {}) {
    this.#options = { failures, openMs };
    this.#host = new Breaker(this.#options, isHostFailure);
  }

  /** @throws ServiceCircuitOpenError at once where too many before it have failed */
  run<T>(store: string | undefined, request: ServiceErrorDetails, send: () => Promise<T>): Promise<T> {
    return this.#host.run(request, () => this.#of(store).run(request, send));
  }

  #of(store: string | undefined): Breaker {
    const breaker = this.#stores.get(store) ?? new Breaker(this.#options, isStoreFailure);
    this.#stores.set(store, breaker);
    return breaker;
  }
}

function isHostFailure(error: ServiceError): boolean {
  return error instanceof ServiceNetworkError || error instanceof ServiceTimeoutError;
}

function isStoreFailure(error: ServiceError): boolean {
  // 202 “still working” is an answer, and no failure of the service.
  if (error instanceof ServiceFailureError) return error.details.httpStatus !== 202;
  return isHostFailure(error) || error instanceof ServiceUnexpectedAnswerError;
}

/** Closed, it lets all through; open, none; when its time is over one alone, and what becomes of that decides. */
class Breaker {
  readonly #options: Required<CircuitOptions>;
  readonly #isFailure: (error: ServiceError) => boolean;
  #failuresInARow = 0;
  #lastFailure: ServiceError | null = null;
  /** null: it is closed. */
  #openSince: number | null = null;
  #isTrying = false;

  constructor(options: Required<CircuitOptions>, isFailure: (error: ServiceError) => boolean) {
    this.#options = options;
    this.#isFailure = isFailure;
  }

  async run<T>(request: ServiceErrorDetails, send: () => Promise<T>): Promise<T> {
    const isTry = this.#begin(request);
    let isAlive = false;
    try {
      const answer = await send();
      isAlive = true;
      return answer;
    } catch (error) {
      if (error instanceof ServiceError) {
        if (this.#isFailure(error)) this.#failed(error);
        else isAlive = error.details.httpStatus !== undefined;
      }
      throw error;
    } finally {
      this.#end(isTry, isAlive);
    }
  }

  /** Whether this is the request that tries if the service is back. Nobody waits for that one. */
  #begin(request: ServiceErrorDetails): boolean {
    if (this.#openSince === null) return false;
    if (this.#isTrying || Date.now() - this.#openSince < this.#options.openMs) throw this.#open(request);
    this.#isTrying = true;
    return true;
  }

  #failed(error: ServiceError): void {
    this.#lastFailure = error;
    this.#failuresInARow += 1;
    if (this.#failuresInARow >= this.#options.failures) this.#openSince ??= Date.now();
  }

  #end(isTry: boolean, isAlive: boolean): void {
    if (isAlive) this.#failuresInARow = 0;
    if (!isTry) return;
    this.#isTrying = false;
    // Without a sign of life (ended by its caller, not sent because the other breaker is open) it has proved nothing.
    this.#openSince = isAlive ? null : Date.now();
  }

  #open(request: ServiceErrorDetails): ServiceCircuitOpenError {
    const last = this.#lastFailure === null ? '' : `, the last one with ${this.#lastFailure.code}`;
    return new ServiceCircuitOpenError(`not sent: too many requests in a row have failed${last}`, request);
  }
}
