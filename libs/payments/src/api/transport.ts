import { isAxiosError, type Axios, type AxiosRequestConfig } from 'axios';
import { authorizationHeader, type Credentials } from './credentials.js';
import { errorFromAnswer } from './failed-answer.js';
import { readHttpDate } from './http-date.js';
import { parseAnswer } from './parse-answer.js';
import {
  ServiceCallAbortedError,
  ServiceNetworkError,
  ServiceTimeoutError,
  ServiceUnexpectedAnswerError,
  type ServiceErrorDetails,
} from './service-errors.js';
import { EndedError, withinTime } from './within-time.js';
import { withoutSecrets } from './without-secrets.js';

/** One request to the service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The body's very text: it is sent byte for byte. */
  readonly body?: string;
  readonly idempotenceKey?: string;
  readonly timeoutMs: number;
  /** Ends the request before its time. */
  readonly signal?: AbortSignal;
}

/** What a 200 said. */
export interface ServiceAnswer {
  readonly body: unknown;
  /** What the service's clock showed, in whole seconds; null where the answer has no readable `Date`. */
  readonly date: Date | null;
}

/** An answer is an object or a page of at most 100: 4 MB is far above both, and far below what could hurt. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

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
): Promise<ServiceAnswer> {
  const details = detailsOf(request);
  if (request.signal?.aborted)
    throw new ServiceCallAbortedError('ended by its signal before it was sent', details, 'refused');
  const config: AxiosRequestConfig<string> = {
    baseURL: serviceUrl,
    url: request.path,
    method: request.method,
    headers: {
      Authorization: authorizationHeader(credentials),
      Accept: 'application/json',
      ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(request.idempotenceKey !== undefined && { 'Idempotence-Key': request.idempotenceKey }),
    },
    ...(request.query !== undefined && { params: request.query }),
    ...(request.body !== undefined && { data: request.body }),
    allowAbsoluteUrls: false,
    maxRedirects: 0,
    maxContentLength: MAX_ANSWER_BYTES,
    responseType: 'text',
    // axios' own transforms would re-serialize the stored bytes and parse the answer leniently
    transformRequest: [(data: unknown) => data],
    transformResponse: [(data: unknown) => data],
    validateStatus: () => true,
    proxy: false,
  };
  let status: number;
  let text: unknown;
  let retryAfter: unknown;
  let date: Date | null;
  try {
    // Covers connecting and a body that drips on; axios' own timeout covers neither.
    const response = await withinTime(request, (signal) => http.request<unknown>({ ...config, signal }));
    status = response.status;
    text = response.data;
    retryAfter = response.headers['retry-after'];
    date = readHttpDate(response.headers['date']);
  } catch (error) {
    const ended = error instanceof EndedError ? error.by : null;
    if (ended === 'signal')
      throw new ServiceCallAbortedError('ended by its signal while under way', details, 'unknown');
    const reason = isAxiosError(error) && error.code !== undefined ? error.code : 'failed';
    if (ended === 'time' || reason === 'ETIMEDOUT')
      throw new ServiceTimeoutError(`no answer within ${request.timeoutMs} ms`, details);
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

/** What every error of this request says of it. */
export function detailsOf({
  method,
  path,
  idempotenceKey,
}: Pick<ServiceRequest, 'method' | 'path' | 'idempotenceKey'>): ServiceErrorDetails {
  return { request: `${method} ${path}`, ...(idempotenceKey !== undefined && { idempotenceKey }) };
}
