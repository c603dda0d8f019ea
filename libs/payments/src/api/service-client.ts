import { PaymentInputError } from '../common/payments.errors.js';
import { Circuit, type OpenCircuits } from './circuit.js';
import {
  authorizationHeader,
  credentialsRule,
  hasToken,
  parseCredentials,
  type Credentials,
  type CredentialsSource,
  type GivenCredentials,
} from './credentials.js';
import type { Endpoint } from './endpoints.js';
import { HookCaller } from './hook-caller.js';
import type { RequestInfo } from './hooks.js';
import type { HttpSender } from './http-sender.js';
import type { CallOptions, ResolvedApiOptions } from './payments-api.options.js';
import { sendWithRetries } from './retry.js';
import {
  ServiceCallAbortedError,
  ServiceCredentialsError,
  ServiceError,
  ServiceTimeoutError,
  ServiceTokenRequiredError,
  ServiceUnexpectedAnswerError,
} from './service-errors.js';
import { detailsOf, sendToService } from './transport.js';
import { EndedError, withinTime, type TimeLimit } from './within-time.js';

/** One call of an endpoint, for one store. */
interface ServiceCall<T> {
  readonly endpoint: Endpoint<T>;
  readonly store: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly idempotenceKey?: string;
}

interface AttemptOptions extends TimeLimit {
  readonly attempt: number;
}

/** Makes calls: credentials, circuit, hooks and retries around the transport. */
export class ServiceClient {
  readonly #http: HttpSender;
  readonly #options: ResolvedApiOptions;
  readonly #hooks: HookCaller;
  readonly #circuit: Circuit | null;
  /** Which of several credentials worked last, by store. */
  readonly #known = new Map<string | undefined, Credentials>();

  constructor(http: HttpSender, options: ResolvedApiOptions) {
    this.#http = http;
    this.#options = options;
    this.#hooks = new HookCaller(options.hooks);
    this.#circuit = options.circuit === false ? null : new Circuit(options.circuit);
  }

  /** Those of its circuit. */
  get openCircuits(): OpenCircuits {
    return this.#circuit?.open ?? { service: 0, store: 0 };
  }

  /**
   * Calls until it is answered, refused, ended by the signal, or out of time (default: callDeadlineMs).
   * @throws ServiceError
   */
  async call<T>(
    call: ServiceCall<T>,
    {
      timeoutMs = this.#options.callDeadlineMs,
      signal,
      once = false,
    }: Pick<CallOptions, 'timeoutMs' | 'signal' | 'once'>,
  ): Promise<T> {
    const startedAt = performance.now();
    let lost: ServiceError | null = null;
    const send = async (attempt: number): Promise<T> => {
      if (signal?.aborted) {
        const outcome = lost === null ? 'refused' : 'unknown';
        throw new ServiceCallAbortedError(
          'ended by its signal',
          detailsOf(call.endpoint, call.idempotenceKey),
          outcome,
        );
      }
      const leftMs = timeoutMs - (performance.now() - startedAt);
      const limitMs = Math.max(1, Math.min(this.#options.requestTimeoutMs, Math.ceil(leftMs)));
      try {
        return await this.attempt(call, { attempt, timeoutMs: limitMs, signal });
      } catch (error) {
        if (error instanceof ServiceError && error.outcome === 'unknown') lost = error;
        throw error;
      }
    };
    try {
      return await (once ? send(1) : sendWithRetries(send, { startBeforeMs: timeoutMs, signal }));
    } catch (error) {
      const unknown = error instanceof ServiceError && error.outcome === 'unknown';
      // Neither a refusal nor an error of the host's credentials function says anything about an earlier attempt that may have
      // had an effect; for a read, the last answer counts.
      throw !unknown && lost !== null && call.endpoint.method !== 'GET' ? lost : error;
    }
  }

  /**
   * One attempt. With several credentials, a 401 is an answer to only one of them: the same request is sent with the next one,
   * and only the last answer is the attempt's.
   * @throws ServiceError
   */
  async attempt<T>(call: ServiceCall<T>, { attempt, timeoutMs, signal }: AttemptOptions): Promise<T> {
    const begunAt = performance.now();
    const { credentials } = this.#options;
    const given: GivenCredentials =
      typeof credentials === 'function'
        ? await askForCredentials(credentials, call, { timeoutMs, signal })
        : [credentials];
    if (call.endpoint.tokenOnly && !given.every(hasToken))
      throw new ServiceTokenRequiredError(
        'shop credentials are not accepted here',
        detailsOf(call.endpoint, call.idempotenceKey),
      );
    const send = async ([first, ...others]: GivenCredentials): Promise<T> => {
      const leftMs = Math.max(1, Math.ceil(timeoutMs - (performance.now() - begunAt)));
      try {
        const answer = await this.#send(call, first, { attempt, timeoutMs: leftMs, signal });
        if (given.length > 1) this.#known.set(call.store, first);
        return answer;
      } catch (error) {
        const [next, ...rest] = others;
        if (next === undefined || !(error instanceof ServiceCredentialsError)) throw error;
        return send([next, ...rest]);
      }
    };
    return send(this.#knownFirst(call.store, given));
  }

  async #send<T>(
    call: ServiceCall<T>,
    credentials: Credentials,
    { attempt, timeoutMs, signal }: AttemptOptions,
  ): Promise<T> {
    const { store, query, body, idempotenceKey } = call;
    const { operation, method, path, read } = call.endpoint;
    const details = detailsOf(call.endpoint, call.idempotenceKey);
    const info: RequestInfo = {
      operation,
      method,
      path,
      store: store ?? null,
      attempt,
      idempotenceKey: idempotenceKey ?? null,
    };
    const { serviceUrl } = this.#options;
    const startedAt = performance.now();
    const send = async (): Promise<T> => {
      this.#hooks.requested(info);
      const request = { method, path, query, body, idempotenceKey };
      const said = await sendToService(this.#http, serviceUrl, credentials, request, { timeoutMs, signal });
      const answer = read(said.body, said.date);
      if (answer === null) {
        const message = 'the answer lacks a required field of such an object';
        throw new ServiceUnexpectedAnswerError(message, { ...details, httpStatus: 200 });
      }
      return answer;
    };
    try {
      const answer = await (this.#circuit ? this.#circuit.run(store, details, send) : send());
      this.#hooks.answered(info, { httpStatus: 200, durationMs: performance.now() - startedAt });
      return answer;
    } catch (error) {
      if (error instanceof ServiceError) {
        this.#hooks.failed(info, {
          httpStatus: error.details.httpStatus ?? null,
          durationMs: performance.now() - startedAt,
          code: error.code,
          outcome: error.outcome,
          requestId: error.details.requestId ?? null,
        });
      }
      throw error;
    }
  }

  #knownFirst(store: string | undefined, given: GivenCredentials): GivenCredentials {
    if (given.length === 1) return given;
    const known = this.#known.get(store);
    const isKnown = (one: Credentials): boolean =>
      known !== undefined && authorizationHeader(one) === authorizationHeader(known);
    const [first = given[0], ...others] = given.toSorted((a, b) => Number(isKnown(b)) - Number(isKnown(a)));
    return [first, ...others];
  }
}

async function askForCredentials(
  source: CredentialsSource,
  call: ServiceCall<unknown>,
  limit: TimeLimit,
): Promise<GivenCredentials> {
  try {
    const given: unknown = await withinTime(limit, () => source(call.store));
    const read = parseCredentials(given);
    if (read) return read;
    throw new PaymentInputError('credentials', credentialsRule);
  } catch (error) {
    if (!(error instanceof EndedError)) throw error;
    const details = detailsOf(call.endpoint, call.idempotenceKey);
    throw error.by === 'time'
      ? new ServiceTimeoutError(`no credentials within ${limit.timeoutMs} ms`, details, 'refused')
      : new ServiceCallAbortedError('ended by its signal before it was sent', details, 'refused');
  }
}
