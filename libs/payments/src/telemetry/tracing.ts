import type { FailureInfo } from '../api/hooks.js';

/** Work that a trace shows as a span. */
export interface SpanStart {
  /** Of the code: no id stands in it. */
  readonly name: `holdfast.${'create' | 'capture' | 'cancel' | 'refund' | 'notification' | 'reread' | 'handler' | 'effect'}`;
  /** The span that this goes on from, as a row keeps it; null: it begins a trace. Not given: it is a part of what is under way. */
  readonly goesOn?: string | null;
  /** What else led to it, as rows keep it. */
  readonly links?: readonly (string | null)[];
  /** Nothing personal and nothing secret: ids of our own, and names of the code. */
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** One attempt of a request to the service, once it is over; without a code it was answered. */
export type SentRequest = Pick<FailureInfo, 'operation' | 'method' | 'httpStatus' | 'durationMs'> &
  Partial<Pick<FailureInfo, 'code'>>;

/** Whoever traces; nothing of this throws, but for what the work throws. */
export interface Tracing {
  /** Does the work as a span, whose error is thrown on. */
  inSpan<T>(start: SpanStart, work: () => Promise<T>): Promise<T>;
  /** How what the span under way shows has ended, where nothing is thrown. */
  ended(result: string, isFailure: boolean): void;
  requested(request: SentRequest): void;
  /** The span under way, as a row keeps it: W3C's traceparent; null: there is none. */
  traceparent(): string | null;
}
