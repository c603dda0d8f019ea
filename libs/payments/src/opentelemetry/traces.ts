import {
  context,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Tracer,
} from '@opentelemetry/api';
import { PaymentsError } from '../common/base.errors.js';
import type { SpanStart, Tracing } from '../telemetry/tracing.js';
import { fromTraceparent, toTraceparent } from './traceparent.js';

/** Spans of what the module does. A sampler or a processor that throws costs a span, and no payment. */
export function tracingOf(tracer: Tracer): Tracing {
  return {
    async inSpan(start, work) {
      const within = contextOf(start);
      const { name, attributes } = start;
      const links = linksOf(start);
      const span = quietly(() => tracer.startSpan(name, { links, attributes: { ...attributes } }, within));
      if (span === null) return work();
      try {
        return await context.with(trace.setSpan(within, span), work);
      } catch (error) {
        quietly(() =>
          span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', typeOf(error)),
        );
        throw error;
      } finally {
        quietly(() => span.end());
      }
    },
    ended(result, isFailure) {
      const span = trace.getActiveSpan();
      quietly(() => span?.setAttribute('holdfast.result', result));
      if (isFailure) quietly(() => span?.setStatus({ code: SpanStatusCode.ERROR }));
    },
    requested({ operation, method, httpStatus, code, durationMs }) {
      const end = Date.now();
      const attributes = {
        'holdfast.operation': operation,
        'http.request.method': method,
        ...(httpStatus !== null && { 'http.response.status_code': httpStatus }),
        ...(code !== undefined && { 'error.type': code }),
      };
      quietly(() => {
        const startTime = new Date(end - durationMs);
        const span = tracer.startSpan('holdfast.request', { kind: SpanKind.CLIENT, startTime, attributes });
        if (code !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(new Date(end));
      });
    },
    traceparent: () => toTraceparent(trace.getActiveSpan()?.spanContext()),
  };
}

function contextOf({ goesOn }: SpanStart): Context {
  if (goesOn === undefined) return context.active();
  const parent = fromTraceparent(goesOn);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

/** Whoever follows a link to a span that was not sampled finds nothing. */
function linksOf({ links = [] }: SpanStart) {
  return links
    .flatMap((link) => fromTraceparent(link) ?? [])
    .filter(({ traceFlags }) => (traceFlags & TraceFlags.SAMPLED) !== 0)
    .map((span) => ({ context: span }));
}

/** Of the code: a message, or a name that somebody sets, may say whose order it is. */
function typeOf(error: unknown): string {
  if (error instanceof PaymentsError) return error.code;
  return error instanceof Error ? error.constructor.name : '_OTHER';
}

function quietly<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    diag.error('A span of @holdfast/payments is lost.', error);
    return null;
  }
}
