import { authorizationHeader, type Credentials } from './credentials.js';
import type { HttpSender } from './http-sender.js';
import { errorFromAnswer } from './refusal.js';
import { sendSafely, UnansweredError, type SafeAnswer, type SafeRequest } from './safe-request.js';
import {
  ServiceCallAbortedError,
  ServiceNetworkError,
  ServiceTimeoutError,
  ServiceUnexpectedAnswerError,
  type ServiceErrorDetails,
} from './service-errors.js';
import type { TimeLimit } from './within-time.js';
import { withoutSecrets } from './without-secrets.js';

/** One request to the service. */
export interface ServiceRequest extends Pick<SafeRequest, 'method' | 'path' | 'query' | 'body'> {
  readonly idempotenceKey?: string | undefined;
}

/** The content of a 200. */
type ServiceAnswer = Pick<SafeAnswer, 'body' | 'date'>;

/** An answer is an object or a page of at most 100: 4 MB is far above both, and far below what could do harm. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Sends one request and returns the content of a 200, its body parsed.
 * @throws a {@link ServiceError} of the class that fits, and nothing else
 */
export async function sendToService(
  http: HttpSender,
  serviceUrl: string,
  credentials: Credentials,
  { method, path, query, body, idempotenceKey }: ServiceRequest,
  limit: TimeLimit,
): Promise<ServiceAnswer> {
  const details = detailsOf({ method, path }, idempotenceKey);
  if (limit.signal?.aborted)
    throw new ServiceCallAbortedError('ended by its signal before it was sent', details, 'refused');
  const headers: Record<string, string> = {
    Authorization: authorizationHeader(credentials),
    Accept: 'application/json',
  };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (idempotenceKey !== undefined) headers['Idempotence-Key'] = idempotenceKey;
  const request = {
    baseURL: serviceUrl,
    path,
    method,
    headers,
    query,
    body,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  };
  const answer = await sendSafely(http, request, limit).catch((error: unknown) => {
    const { reason, said } = error instanceof UnansweredError ? error : new UnansweredError('failed');
    if (reason === 'signal')
      throw new ServiceCallAbortedError('ended by its signal while in progress', details, 'unknown');
    if (reason === 'time' || reason === 'ETIMEDOUT')
      throw new ServiceTimeoutError(`no answer within ${limit.timeoutMs} ms`, details);
    throw new ServiceNetworkError(`connection failed (${said})`, details);
  });
  const { status: httpStatus, retryAfter, date } = answer;
  if (httpStatus !== 200) {
    const kept = withoutSecrets(answer.body, body, credentials);
    throw errorFromAnswer({ httpStatus, body: kept, retryAfter }, details);
  }
  if (answer.body === undefined)
    throw new ServiceUnexpectedAnswerError('the answer is not complete JSON', { ...details, httpStatus });
  return { body: answer.body, date };
}

/** What every error of this request contains. */
export function detailsOf(
  { method, path }: Pick<ServiceRequest, 'method' | 'path'>,
  idempotenceKey?: string,
): ServiceErrorDetails {
  const request = `${method} ${path}`;
  return idempotenceKey === undefined ? { request } : { request, idempotenceKey };
}
