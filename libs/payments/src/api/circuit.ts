import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  type CircuitBreakerPolicy,
} from 'cockatiel';
import { Ms, Whole } from '../common/option-rules.js';
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
  /** Consecutive failures that open it. Default 10. */
  readonly failures?: number;
  /** Time it stays open before one request is let through to try, in ms. Default 5,000. */
  readonly openMs?: number;
}

export class CircuitOptionsShape {
  @Whole(1)
  readonly failures: number = 10;

  @Ms(1, 600_000, ', ten minutes')
  readonly openMs: number = 5_000;
}

/** How many circuit breakers are open: of the service, 1 or 0, and of stores. */
export interface OpenCircuits {
  readonly service: number;
  readonly store: number;
}

/**
 * Keeps a dead service from blocking the application. Two breakers in a row: one for the host, which counts connections and
 * timeouts of all stores, and one per store, which counts its 5xx and garbled answers too. So a store the service fails for
 * affects no other, and a dead host is noticed once, not once per store. Any other answer of the service (4xx, 429, 202) counts
 * as a success.
 */
export class Circuit {
  readonly #options: CircuitOptionsShape;
  readonly #host: CircuitBreakerPolicy;
  readonly #stores = new Map<string | undefined, CircuitBreakerPolicy>();

  constructor(options: CircuitOptionsShape) {
    this.#options = options;
    this.#host = breaker(this.#options, isHostFailure);
  }

  /** @throws ServiceCircuitOpenError at once if too many before it have failed */
  async run<T>(store: string | undefined, request: ServiceErrorDetails, send: () => Promise<T>): Promise<T> {
    const host = this.#host;
    const ofStore = this.#of(store);
    // While one request tries whether the service is back, the policies would make the others wait for it.
    if (isTrying(host)) throw circuitOpen(request, host);
    if (isTrying(ofStore)) throw circuitOpen(request, ofStore);
    const answerOf = (): Promise<T | Refusal> => outcomeOf(send);
    let outcome: T | Refusal;
    try {
      outcome = await host.execute(() => ofStore.execute(answerOf));
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw circuitOpen(request, host.state === CircuitState.Closed ? ofStore : host);
    }
    if (outcome instanceof Refusal) throw outcome.error;
    return outcome;
  }

  /** Whether the one of the service is open, and of how many stores. */
  get open(): OpenCircuits {
    const ofStores = [...this.#stores.values()].filter(isOpen).length;
    return { service: isOpen(this.#host) ? 1 : 0, store: ofStores };
  }

  #of(store: string | undefined): CircuitBreakerPolicy {
    const known = this.#stores.get(store);
    if (known !== undefined) return known;
    const made = breaker(this.#options, isStoreFailure);
    this.#stores.set(store, made);
    return made;
  }
}

/**
 * An error of the service or the network as a result: one that counts as a success ends a series of failures, and a thrown one
 * would not.
 */
class Refusal {
  constructor(readonly error: ServiceError) {}
}

async function outcomeOf<T>(send: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ServiceError && (error.details.httpStatus !== undefined || isHostFailure(error)))
      return new Refusal(error);
    throw error;
  }
}

function breaker(
  { failures, openMs }: CircuitOptionsShape,
  isFailure: (error: ServiceError) => boolean,
): CircuitBreakerPolicy {
  // A thrown error says nothing about the service: its caller ended it, or the other breaker is open. It only matters for the one
  // request that tries whether the service is back: without a success it has proved nothing.
  const policy: CircuitBreakerPolicy = circuitBreaker(
    handleWhen(() => isTrying(policy)).orWhenResult(
      (outcome) => outcome instanceof Refusal && isFailure(outcome.error),
    ),
    { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failures) },
  );
  return policy;
}

function isOpen(policy: CircuitBreakerPolicy): boolean {
  return policy.state === CircuitState.Open;
}

function isTrying(policy: CircuitBreakerPolicy): boolean {
  return policy.state === CircuitState.HalfOpen;
}

function circuitOpen(
  request: ServiceErrorDetails,
  { lastFailure }: CircuitBreakerPolicy,
): ServiceCircuitOpenError {
  const last =
    lastFailure !== undefined && 'value' in lastFailure && lastFailure.value instanceof Refusal
      ? `, the last one with ${lastFailure.value.error.code}`
      : '';
  return new ServiceCircuitOpenError(`not sent: too many requests in a row have failed${last}`, request);
}

function isHostFailure(error: ServiceError): boolean {
  return error instanceof ServiceNetworkError || error instanceof ServiceTimeoutError;
}

function isStoreFailure(error: ServiceError): boolean {
  // 202 “still working” is an answer, and no failure of the service.
  if (error instanceof ServiceFailureError) return error.details.httpStatus !== 202;
  return isHostFailure(error) || error instanceof ServiceUnexpectedAnswerError;
}
