import { Injectable } from '@nestjs/common';
import type { CounterName, HistogramName, LabelsOf } from './instruments.js';
import type { SentRequest, SpanStart, Tracing } from './tracing.js';

/** Whoever listens: it gets every measurement, and must not throw. */
export interface Recorder {
  record<Name extends CounterName | HistogramName>(name: Name, value: number, labels: LabelsOf<Name>): void;
}

/** Where the module says what it counts, times and does. While nobody listens or traces, that is one comparison. */
@Injectable()
export class Telemetry {
  #recorder: Recorder | null = null;
  #tracing: Tracing | null = null;

  /** Whether what costs something need be measured. */
  get isHeard(): boolean {
    return this.#recorder !== null;
  }

  /** Whether what costs something need be read for a trace. */
  get isTraced(): boolean {
    return this.#tracing !== null;
  }

  /** From now on; null: nobody listens any more. */
  listen(recorder: Recorder | null): void {
    this.#recorder = recorder;
  }

  /** From now on; null: nobody traces any more. */
  trace(tracing: Tracing | null): void {
    this.#tracing = tracing;
  }

  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>): void {
    this.#recorder?.record(name, 1, labels);
  }

  /** A time that lies before its beginning, by a clock that was set meanwhile, counts as none; an endless one is left out. */
  time<Name extends HistogramName>(name: Name, ms: number, labels: LabelsOf<Name>): void {
    if (Number.isFinite(ms)) this.#recorder?.record(name, Math.max(0, ms) / 1_000, labels);
  }

  /** Does the work, as a span where somebody traces. */
  inSpan<T>(start: () => SpanStart, work: () => Promise<T>): Promise<T> {
    return this.#tracing === null ? work() : this.#tracing.inSpan(start(), work);
  }

  /** How what the span under way shows has ended, where nothing is thrown. */
  ended(result: string, isFailure: boolean): void {
    this.#tracing?.ended(result, isFailure);
  }

  requested(request: SentRequest): void {
    this.#tracing?.requested(request);
  }

  /** The span under way, as a row keeps it; null: there is none, or nobody traces. */
  traceparent(): string | null {
    return this.#tracing?.traceparent() ?? null;
  }
}
