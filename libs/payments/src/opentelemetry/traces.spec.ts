import { SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { PaymentNotFoundError } from '../common/payments.errors.js';
import { tracingOf } from './traces.js';

const fail = (): never => {
  throw new Error('a part of somebody’s own');
};
const nothing = async (): Promise<void> => undefined;
const processor = (part: Partial<SpanProcessor>): SpanProcessor => ({
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: nothing,
  shutdown: nothing,
  ...part,
});

describe('tracing', () => {
  it.each<[part: string, provider: BasicTracerProvider]>([
    ['a sampler', new BasicTracerProvider({ sampler: { shouldSample: fail } })],
    ['the begin of a processor', new BasicTracerProvider({ spanProcessors: [processor({ onStart: fail })] })],
    ['the end of a processor', new BasicTracerProvider({ spanProcessors: [processor({ onEnd: fail })] })],
  ])('costs no payment where %s throws', async (_part, provider) => {
    const tracing = tracingOf(provider.getTracer('test'));
    let runs = 0;
    const paid = async () => `paid ${(runs += 1)}`;
    await expect(tracing.inSpan({ name: 'holdfast.create' }, paid)).resolves.toBe('paid 1');
    tracing.requested({ operation: 'createPayment', method: 'POST', httpStatus: 200, durationMs: 1 });
  });

  it.each<[of: string, error: unknown, type: string]>([
    ['an error of the module', new PaymentNotFoundError('some'), 'payment_not_found'],
    ['another error', Object.assign(new TypeError('of Anna'), { name: 'Anna', code: 'anna' }), 'TypeError'],
    ['what is no error', 'of Anna', '_OTHER'],
  ])('tells the kind of %s, in words of the code', async (_of, error, type) => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const work = () => Promise.reject(error);
    const done = tracingOf(provider.getTracer('test')).inSpan({ name: 'holdfast.capture' }, work);
    await expect(done).rejects.toBe(error);
    expect(exporter.getFinishedSpans()).toMatchObject([
      { status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': type }, events: [] },
    ]);
  });
});
