import { Injectable } from '@nestjs/common';
import type { CounterName, HistogramName, LabelsOf } from './instruments.js';

/** Whoever listens: it gets every measurement, and must not throw. */
export interface Recorder {
  record<Name extends CounterName | HistogramName>(name: Name, value: number, labels: LabelsOf<Name>): void;
}

/** Where the module says what it counts and times. While nobody listens, that is one comparison. */
@Injectable()
export class Telemetry {
  #recorder: Recorder | null = null;

  /** Whether what costs something need be measured. */
  get isHeard(): boolean {
    return this.#recorder !== null;
  }

  /** From now on; null: nobody listens any more. */
  listen(recorder: Recorder | null): void {
    this.#recorder = recorder;
  }

  count<Name extends CounterName>(name: Name, labels: LabelsOf<Name>): void {
    this.#recorder?.record(name, 1, labels);
  }

  /** A time that lies before its beginning, by a clock that was set meanwhile, counts as none; an endless one is left out. */
  time<Name extends HistogramName>(name: Name, ms: number, labels: LabelsOf<Name>): void {
    if (Number.isFinite(ms)) this.#recorder?.record(name, Math.max(0, ms) / 1_000, labels);
  }
}
