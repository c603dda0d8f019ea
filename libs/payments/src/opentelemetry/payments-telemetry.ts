import { Injectable } from '@nestjs/common';
import { createNoopMeter, metrics, ProxyTracerProvider, trace, type Tracer } from '@opentelemetry/api';
import type { Waiting } from '../operator/backlog.js';
import { conditionNames } from '../operator/conditions.js';
import { PaymentsVitals } from '../operator/payments-vitals.js';
import { instruments } from '../telemetry/instruments.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { observedGauges, recorderOf, type Observe } from './meters.js';
import { tracingOf } from './traces.js';

/** The name of the meter, and of the tracer. */
const SCOPE = '@holdfast/payments';

/**
 * Gives the metrics and traces of the payments to the OpenTelemetry SDK of the process, whichever that is; without one nothing
 * happens. The SDK must be there when the application starts. Metrics have no ids, no references and no amounts among their labels;
 * spans have ids of payments, and nothing personal.
 * @example
 * @Module({ providers: [PaymentsTelemetry] })
 * export class MonitoringModule {}
 */
@Injectable()
// Nest finds its hooks by their names. Declared, they would be an interface whose methods the package's own declarations leave out.
export class PaymentsTelemetry {
  #stop = (): void => undefined;

  /** @internal */
  constructor(
    private readonly telemetry: Telemetry,
    private readonly vitals: PaymentsVitals,
  ) {}

  /** @internal */
  onModuleInit(): void {
    const tracer = sdkTracer();
    if (tracer !== null) this.telemetry.trace(tracingOf(tracer));
    const meter = metrics.getMeter(SCOPE);
    if (meter === createNoopMeter()) return;
    this.telemetry.listen(recorderOf(meter));
    this.#stop = observedGauges(meter, (observe) => this.#observe(observe));
  }

  /** @internal */
  onApplicationShutdown(): void {
    this.#stop();
    this.telemetry.listen(null);
    this.telemetry.trace(null);
  }

  async #observe(observe: Observe): Promise<void> {
    const { service, store } = this.vitals.openCircuits();
    observe('holdfast.breaker.open', service, { of: 'service' });
    observe('holdfast.breaker.open', store, { of: 'store' });
    const sinceMs = this.vitals.sweep()?.sinceMs ?? null;
    if (sinceMs !== null) observe('holdfast.sweep.age.seconds', sinceMs / 1_000, {});
    const figures = await this.vitals.figures();
    observe('holdfast.figures.age.seconds', this.vitals.figuresAgeMs() / 1_000, {});
    if (figures === null) return;
    const { backlog, conditions, holdEndsInMs, receipts } = figures;
    for (const [figure, { count, oldestMs }] of Object.entries<Waiting>({ ...backlog })) {
      const queue = inSnakeCase(figure);
      observe('holdfast.backlog.size', count, { queue });
      observe('holdfast.backlog.age.seconds', (oldestMs ?? 0) / 1_000, { queue });
    }
    for (const condition of conditionNames)
      observe('holdfast.conditions', conditions.has(condition) ? 1 : 0, { condition });
    // An SDK repeats the last value of a series that is not observed any more.
    observe('holdfast.hold.nearest_end.seconds', (holdEndsInMs ?? Infinity) / 1_000, {});
    for (const state of instruments['holdfast.receipts'].labels.state)
      observe('holdfast.receipts', receipts[state], { state });
  }
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** null: there is no SDK. The API's own tracer makes spans that go nowhere. */
function sdkTracer(): Tracer | null {
  const provider = trace.getTracerProvider();
  if (!(provider instanceof ProxyTracerProvider)) return provider.getTracer(SCOPE);
  return provider.getDelegateTracer(SCOPE) ?? null;
}
