import { isAxiosError, type AxiosRequestConfig, type GenericAbortSignal } from 'axios';
import { isRecord } from '../common/is-record.js';
import type { HttpSender } from './http-sender.js';
import { parseAnswer } from './parse-answer.js';
import { EndedError, withinTime, type TimeLimit } from './within-time.js';

/** One request, to any server. */
export interface SafeRequest {
  readonly baseURL: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** The body's exact text: it is sent byte for byte. */
  readonly body?: string | undefined;
  /** No more of an answer is read. */
  readonly maxAnswerBytes: number;
}

/** An answer, whatever its status. */
export interface SafeAnswer {
  readonly status: number;
  /** Undefined if it is not complete JSON. */
  readonly body: unknown;
  readonly retryAfter: unknown;
  /** The time of the server's clock, in whole seconds; null if the answer has no readable `Date`. */
  readonly date: Date | null;
}

/** No answer came. `reason`: `time` or `signal` ended the request, else the code with which the connection failed. */
export class UnansweredError extends Error {
  constructor(
    readonly reason: string,
    /** The reason with the address that did not answer, where there is one: `ECONNREFUSED 127.0.0.1:4010`. */
    readonly said = reason,
  ) {
    super(`no answer (${said})`);
  }
}

// axios' own transforms would re-serialize the stored bytes and parse the answer leniently.
const asItIs = [(data: unknown) => data];

const anyStatus = () => true;

/**
 * The one way in which the module sends a request: no redirect is followed, no absolute URL replaces the configured server, no
 * proxy of the environment is used, and the server controls neither time nor size of the answer.
 * @throws UnansweredError and nothing else: an AxiosError contains the credentials and the body, so none ever leaves this
 * function
 */
export async function sendSafely(
  http: HttpSender,
  request: SafeRequest,
  limit: TimeLimit,
): Promise<SafeAnswer> {
  try {
    // Covers connecting and a slowly dripping body; axios' own timeout covers neither.
    const { status, data, headers } = await withinTime(limit, (signal) =>
      http.request(configOf(request, signal)),
    );
    const date = parseHttpDate(headers['date']);
    return { status, body: parseAnswer(data), retryAfter: headers['retry-after'], date };
  } catch (error) {
    if (error instanceof EndedError) throw new UnansweredError(error.by);
    const code = isAxiosError(error) && error.code !== undefined ? error.code : 'failed';
    throw new UnansweredError(code, `${code}${addressIn(error)}`);
  }
}

/** Of the connection that could not be opened. Where a name has several addresses, none of them is to blame alone. */
function addressIn(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (!isRecord(cause)) return '';
  const { address, port } = cause;
  if (typeof address !== 'string' || typeof port !== 'number') return '';
  return ` ${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** One literal: spreading the common part would take longer than the rest of this file, for every request. */
function configOf(
  { baseURL, path, method, headers, query, body, maxAnswerBytes }: SafeRequest,
  signal: GenericAbortSignal,
): AxiosRequestConfig<string | undefined> {
  const config: AxiosRequestConfig<string | undefined> = {
    baseURL,
    url: path,
    method,
    headers,
    data: body,
    signal,
    allowAbsoluteUrls: false,
    maxRedirects: 0,
    maxContentLength: maxAnswerBytes,
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

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The `Date` of an answer; null if it is not in the one form that servers write (RFC 9110, 5.6.7). */
export function parseHttpDate(header: unknown): Date | null {
  if (typeof header !== 'string' || !HTTP_DATE.test(header)) return null;
  const date = new Date(header);
  return Number.isNaN(date.getTime()) ? null : date;
}
