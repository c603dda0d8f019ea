import type { Meter, ObservableGauge } from '@opentelemetry/api';
import {
  instrumentNames,
  instruments,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type InstrumentName,
  type LabelsOf,
} from '../telemetry/instruments.js';
import type { Recorder } from '../telemetry/telemetry.js';
import { listedLabels } from './listed-labels.js';

/** From an answer within milliseconds to a payment that waited for an hour. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

/** Takes one value of a gauge. */
export type Observe = <Name extends GaugeName>(name: Name, value: number, labels: LabelsOf<Name>) => void;

/** Counters and histograms of a meter, each made once. */
export function recorderOf(meter: Meter): Recorder {
  const recording = new Map<string, (value: number, labels: Readonly<Record<string, string>>) => void>();
  for (const name of namesOf('counter')) {
    const counter = meter.createCounter(name, describedOf(name));
    // A counter that appears with its first event has not increased by it, so an alert would miss that event.
    for (const labels of listedLabels(instruments[name])) counter.add(0, labels);
    recording.set(name, (value, labels) => counter.add(value, labels));
  }
  for (const name of namesOf('histogram')) {
    const advice = { explicitBucketBoundaries: SECONDS };
    const histogram = meter.createHistogram(name, { ...describedOf(name), advice });
    recording.set(name, (value, labels) => histogram.record(value, labels));
  }
  return {
    record<Name extends CounterName | HistogramName>(
      name: Name,
      value: number,
      labels: LabelsOf<Name>,
    ): void {
      recording.get(name)?.(value, { ...labels });
    },
  };
}

/** Gauges of a meter that are observed together; the result ends that. */
export function observedGauges(meter: Meter, observeAll: (observe: Observe) => Promise<void>): () => void {
  const gauges = new Map<string, ObservableGauge>(
    namesOf('gauge').map((name) => [name, meter.createObservableGauge(name, describedOf(name))]),
  );
  const all = [...gauges.values()];
  const callback: Parameters<Meter['addBatchObservableCallback']>[0] = (result) =>
    observeAll((name, value, labels) => {
      const gauge = gauges.get(name);
      if (gauge) result.observe(gauge, value, { ...labels });
    });
  meter.addBatchObservableCallback(callback, all);
  return () => meter.removeBatchObservableCallback(callback, all);
}

function describedOf(name: InstrumentName): { readonly unit: string; readonly description: string } {
  const { unit, description } = instruments[name];
  return { unit, description };
}

function namesOf(kind: 'counter' | 'histogram' | 'gauge'): InstrumentName[] {
  return instrumentNames.filter((name) => instruments[name].kind === kind);
}
