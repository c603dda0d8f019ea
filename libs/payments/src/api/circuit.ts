import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
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

function isHostFailure(error: Error): boolean {
  return error instanceof ServiceNetworkError || error instanceof ServiceTimeoutError;
}

function isStoreFailure(error: Error): boolean {
  // 202 “still working” is an answer, and no failure of the service.
  if (error instanceof ServiceFailureError) return error.details.httpStatus !== 202;
  return isHostFailure(error) || error instanceof ServiceUnexpectedAnswerError;
}

type Outcome<T> = { readonly answer: T } | { readonly refusal: unknown };

class Breaker {
  readonly #policy: CircuitBreakerPolicy;
  readonly #isFailure: (error: Error) => boolean;

  constructor({ failures, openMs }: Required<CircuitOptions>, isFailure: (error: Error) => boolean) {
    this.#isFailure = isFailure;
    // The one request that tries whether the service is back must bring a sign of life: ended by its caller, or not sent
    // because the other breaker is open, it proves nothing, and the policy would take that for success.
    const counts = (error: Error): boolean =>
      isFailure(error) || this.#policy.state === CircuitState.HalfOpen;
    this.#policy = circuitBreaker(handleWhen(counts), {
      halfOpenAfter: openMs,
      breaker: new ConsecutiveBreaker(failures),
    });
  }

  async run<T>(request: ServiceErrorDetails, send: () => Promise<T>): Promise<T> {
    // While one request tries whether the service is back, the policy would make the others wait for it.
    if (this.#policy.state === CircuitState.HalfOpen) throw this.#open(request);
    try {
      const outcome = await this.#policy.execute(() => this.#outcome(send));
      if ('answer' in outcome) return outcome.answer;
      throw outcome.refusal;
    } catch (error) {
      throw error instanceof BrokenCircuitError ? this.#open(request) : error;
    }
  }

  /** A sign of life must be a result: thrown, it would not end a row of failures. */
  async #outcome<T>(send: () => Promise<T>): Promise<Outcome<T>> {
    try {
      return { answer: await send() };
    } catch (error) {
      const answered = error instanceof ServiceError && error.details.httpStatus !== undefined;
      if (answered && !this.#isFailure(error)) return { refusal: error };
      throw error;
    }
  }

  #open(request: ServiceErrorDetails): ServiceCircuitOpenError {
    const { lastFailure } = this.#policy;
    const last =
      lastFailure && 'error' in lastFailure && lastFailure.error instanceof ServiceError
        ? `, the last one with ${lastFailure.error.code}`
        : '';
    return new ServiceCircuitOpenError(`not sent: too many requests in a row have failed${last}`, request);
  }
}
