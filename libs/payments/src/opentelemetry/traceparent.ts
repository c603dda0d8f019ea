import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';

/** W3C Trace Context, version 00: 55 characters, whatever a request's own header was. */
const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/**
 * A span's context as W3C writes it; null: it is none. That of a span which was not sampled is kept too: what goes on in it is not
 * sampled either, where beginning a trace of its own might be.
 */
export function toTraceparent(span: SpanContext | undefined): string | null {
  if (!span || !isSpanContextValid(span)) return null;
  const text = `00-${span.traceId}-${span.spanId}-${(span.traceFlags & 0xff).toString(16).padStart(2, '0')}`;
  return FORM.test(text) ? text : null;
}

/** Of another process, or another time; null: it is none. */
export function fromTraceparent(text: string | null): SpanContext | null {
  const [, traceId, spanId, flags] = FORM.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(span) ? span : null;
}
