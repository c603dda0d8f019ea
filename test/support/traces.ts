import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';

/** An SDK that keeps every span which has ended. Open it before the host. */
export interface Traces {
  readonly spans: () => readonly ReadableSpan[];
  /** The spans of this name that have ended. */
  named(name: string): readonly ReadableSpan[];
  close(): Promise<void>;
}

export function openTraces(): Traces {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  trace.setGlobalTracerProvider(provider);
  const spans = () => exporter.getFinishedSpans();
  return {
    spans,
    named: (name) => spans().filter((span) => span.name === name),
    async close() {
      trace.disable();
      context.disable();
      await provider.shutdown();
    },
  };
}
