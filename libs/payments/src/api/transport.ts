import { isAxiosError, type Axios, type AxiosRequestConfig, type GenericAbortSignal } from 'axios';
import { authorizationHeader, type Credentials } from './credentials.js';
import { errorFromAnswer } from './failed-answer.js';
import { parseHttpDate } from './http-date.js';
import { parseAnswer } from './parse-answer.js';
import {
  ServiceCallAbortedError,
  ServiceNetworkError,
  ServiceTimeoutError,
  ServiceUnexpectedAnswerError,
  type ServiceErrorDetails,
} from './service-errors.js';
import { EndedError, withinTime, type TimeLimit } from './within-time.js';
import { withoutSecrets } from './without-secrets.js';

/** One request to the service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** The body's very text: it is sent byte for byte. */
  readonly body?: string | undefined;
  readonly idempotenceKey?: string | undefined;
}

/** What a 200 said. */
export interface ServiceAnswer {
  readonly body: unknown;
  /** What the service's clock showed, in whole seconds; null where the answer has no readable `Date`. */
  readonly date: Date | null;
}

/** An answer is an object or a page of at most 100: 4 MB is far above both, and far below what could hurt. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

// axios' own transforms would re-serialize the stored bytes and parse the answer leniently.
const asItIs = [(data: unknown) => data];

const anyStatus = () => true;

/**
 * Sends one request and returns what a 200 said, its body parsed.
 *
 * An AxiosError carries the secret key and the request body, so none ever leaves this function; redirects are not
 * followed, and no absolute URL replaces the configured service.
 *
 * @throws a {@link ServiceError} of the class that fits, and nothing else
 */
export async function sendToService(
  http: Pick<Axios, 'request'>,
  serviceUrl: string,
  credentials: Credentials,
  request: ServiceRequest,
  limit: TimeLimit,
): Promise<ServiceAnswer> {
  const details = detailsOf(request, request.idempotenceKey);
  if (limit.signal?.aborted)
    throw new ServiceCallAbortedError('ended by its signal before it was sent', details, 'refused');
  let status: number;
  let text: unknown;
  let retryAfter: unknown;
  let date: Date | null;
  try {
    // Covers connecting and a body that drips on; axios' own timeout covers neither.
    const response = await withinTime(limit, (signal) =>
      http.request<unknown>(configOf(serviceUrl, credentials, request, signal)),
    );
    status = response.status;
    text = response.data;
    retryAfter = response.headers['retry-after'];
    date = parseHttpDate(response.headers['date']);
  } catch (error) {
    const ended = error instanceof EndedError ? error.by : null;
    if (ended === 'signal')
      throw new ServiceCallAbortedError('ended by its signal while under way', details, 'unknown');
    const reason = isAxiosError(error) && error.code !== undefined ? error.code : 'failed';
    if (ended === 'time' || reason === 'ETIMEDOUT')
      throw new ServiceTimeoutError(`no answer within ${limit.timeoutMs} ms`, details);
    throw new ServiceNetworkError(`connection failed (${reason})`, details);
  }
  const body = parseAnswer(text);
  if (status !== 200) {
    const kept = withoutSecrets(body, request.body, credentials);
    throw errorFromAnswer({ httpStatus: status, body: kept, retryAfter }, details);
  }
  if (body === undefined) {
    throw new ServiceUnexpectedAnswerError('the answer is not complete JSON', {
      ...details,
      httpStatus: status,
    });
  }
  return { body, date };
}

/** One literal: spreading what is the same for all would take longer than the rest of this file, for every request. */
function configOf(
  baseURL: string,
  credentials: Credentials,
  { method, path, query, body, idempotenceKey }: ServiceRequest,
  signal: GenericAbortSignal,
): AxiosRequestConfig<string | undefined> {
  const headers: Record<string, string> = {
    Authorization: authorizationHeader(credentials),
    Accept: 'application/json',
  };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (idempotenceKey !== undefined) headers['Idempotence-Key'] = idempotenceKey;
  const config: AxiosRequestConfig<string | undefined> = {
    baseURL,
    url: path,
    method,
    headers,
    data: body,
    signal,
    allowAbsoluteUrls: false,
    maxRedirects: 0,
    maxContentLength: MAX_ANSWER_BYTES,
    responseType: 'text',
    transformRequest: asItIs,
    transformResponse: asItIs,
    validateStatus: anyStatus,
    proxy: false,
  };
  // Undefined, it would still be merged.
  if (query !== undefined) config.params = query;
  return config;
}

/** What every error of this request says of it. */
export function detailsOf(
  { method, path }: Pick<ServiceRequest, 'method' | 'path'>,
  idempotenceKey?: string,
): ServiceErrorDetails {
  const request = `${method} ${path}`;
  return idempotenceKey === undefined ? { request } : { request, idempotenceKey };
}
