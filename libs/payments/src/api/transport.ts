import { isAxiosError, type AxiosInstance, type AxiosRequestConfig } from 'axios';
import { authorizationHeader, type ShopCredentials } from './secret.js';
import {
  errorFromAnswer,
  ServiceNetworkError,
  ServiceTimeoutError,
  ServiceUnexpectedAnswerError,
  type ServiceErrorDetails,
} from './service-errors.js';

/** One request to the service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The body's very text: it is sent byte for byte. */
  readonly body?: string;
  readonly idempotenceKey?: string;
  readonly timeoutMs: number;
}

/** An answer is a payment or a page of at most 100: 4 MB is far above both, and far below what could hurt. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Sends one request and returns the parsed body of a 200.
 *
 * An AxiosError carries the secret key and the request body, so none ever leaves this function; redirects are not
 * followed, and no absolute URL replaces the configured service.
 *
 * @throws a {@link ServiceError} of the class that fits, and nothing else
 */
export async function sendToService(
  http: AxiosInstance,
  serviceUrl: string,
  credentials: ShopCredentials,
  request: ServiceRequest,
): Promise<unknown> {
  const config: AxiosRequestConfig<string> = {
    baseURL: serviceUrl,
    url: request.path,
    method: request.method,
    headers: {
      Authorization: authorizationHeader(credentials),
      Accept: 'application/json',
      ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(request.idempotenceKey === undefined ? {} : { 'Idempotence-Key': request.idempotenceKey }),
    },
    ...(request.query === undefined ? {} : { params: request.query }),
    ...(request.body === undefined ? {} : { data: request.body }),
    allowAbsoluteUrls: false,
    maxRedirects: 0,
    maxContentLength: MAX_ANSWER_BYTES,
    responseType: 'text',
    // axios' own transforms would re-serialize the stored bytes and parse the answer leniently
    transformRequest: [(data: unknown) => data],
    transformResponse: [(data: unknown) => data],
    validateStatus: () => true,
    proxy: false,
    // Covers connecting and a body that drips on; axios' own timeout covers neither.
    signal: AbortSignal.timeout(request.timeoutMs),
  };
  const name = `${request.method} ${request.path}`;
  const details: ServiceErrorDetails = {
    request: name,
    ...(request.idempotenceKey === undefined ? {} : { idempotenceKey: request.idempotenceKey }),
  };
  let status: number;
  let text: unknown;
  try {
    const response = await http.request<unknown>(config);
    status = response.status;
    text = response.data;
  } catch (error) {
    const reason = isAxiosError(error) && error.code !== undefined ? error.code : 'failed';
    if (['ETIMEDOUT', 'ERR_CANCELED'].includes(reason)) {
      throw new ServiceTimeoutError(`no answer within ${request.timeoutMs} ms`, details);
    }
    throw new ServiceNetworkError(`connection failed (${reason})`, details);
  }
  const body = parseJson(text);
  if (status !== 200) throw errorFromAnswer(status, body, name, request.idempotenceKey);
  if (body === undefined) {
    throw new ServiceUnexpectedAnswerError('the answer is not complete JSON', {
      ...details,
      httpStatus: status,
    });
  }
  return body;
}

function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
