import {
  OnPaymentEffect,
  OnPaymentEvent,
  PaymentsModule,
  type HandlerContext,
  type Payment,
  type PaymentEvent,
} from '@holdfast/payments';
import { PaymentsTelemetry } from '@holdfast/payments/telemetry';
import type { Sandbox } from '@holdfast/sandbox';
import { Injectable } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { paymentsOptions, startHost, startTestSandbox, typeOrm, type Host } from '../hosts/host.js';
import { openDatabase } from '../hosts/open-database.js';
import { eventually } from '../support/eventually.js';
import { openTraces } from '../support/traces.js';

/** The orders whose mails went out. */
export const mailed: string[] = [];

@Injectable()
class Shipping {
  @OnPaymentEvent('payment.succeeded', { id: 'shop.ship' })
  async ship({ orderReference }: PaymentEvent, { effects }: HandlerContext): Promise<void> {
    trace.getTracer('shop').startSpan('a parcel').end();
    if (orderReference === 'anna') throw new Error('no paper for anna@example.com');
    await effects.record('shop.mail', { orderReference });
  }

  @OnPaymentEffect('shop.mail')
  mail({ orderReference }: { orderReference: string }): void {
    trace.getTracer('shop').startSpan('a mail').end();
    mailed.push(orderReference);
  }
}

interface HostOptions {
  readonly sweeps?: boolean;
  readonly isTraced?: boolean;
}

/** A database and a sandbox, and processes of a shop one after the other, each with an SDK of its own. */
export interface TracedShop {
  readonly sandbox: Sandbox;
  /** A host of this process, which the sandbox notifies from now on. Default: it sweeps, and is traced. */
  open(options?: HostOptions): Promise<Host>;
  /** Ends the hosts and the SDK, and begins another one. */
  nextProcess(): Promise<void>;
  pay(payment: Payment): void;
  /** What has ended in this process. */
  spans(): readonly ReadableSpan[];
  named(name: string): readonly ReadableSpan[];
  /** Those that say that they are about this payment. */
  spansOf(payment: Payment, ...names: string[]): readonly ReadableSpan[];
  /** Waits for the first of them. */
  ended(payment: Payment, name: string): Promise<ReadableSpan>;
  /** The traceparent of a payment's row. */
  keptWith(payment: Payment): Promise<string | null | undefined>;
  keptWithNotification(payment: Payment, event: string): Promise<string | null | undefined>;
  close(): Promise<void>;
}

export const traceOf = (span: ReadableSpan | undefined) => span?.spanContext().traceId;
export const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;

/** Does what a request to the shop leads to. */
export const inSpan = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  trace.getTracer('shop').startActiveSpan(name, (span) => work().finally(() => span.end()));

export async function openTracedShop(): Promise<TracedShop> {
  const sandbox = await startTestSandbox();
  const database = await openDatabase();
  let traces = openTraces();
  const hosts: Host[] = [];
  const kept = async (sql: string, values: unknown[]): Promise<string | null | undefined> => {
    const { rows } = await database.sql.query<{ traceparent: string | null }>(sql, values);
    return rows[0]?.traceparent;
  };
  const end = async (): Promise<void> => {
    for (const host of hosts.splice(0)) await host.close();
    await traces.close();
  };
  const spansOf: TracedShop['spansOf'] = ({ id }, ...names) =>
    traces
      .spans()
      .filter((span) => names.includes(span.name) && span.attributes['holdfast.payment_id'] === id);
  return {
    sandbox,
    async open({ sweeps = true, isTraced = true } = {}) {
      const host = await startHost({
        imports: [
          typeOrm(database.moduleUrl),
          ScheduleModule.forRoot(),
          PaymentsModule.forRoot({
            ...paymentsOptions(sandbox),
            isGlobal: true,
            retentionMs: false,
            handlerAttempts: 1,
            ...(!sweeps && { sweeps: false }),
          }),
        ],
        providers: [Shipping, ...(isTraced ? [PaymentsTelemetry] : [])],
        // As an instrumentation of HTTP does, but this one looks at nothing that it takes.
        configure: (app) =>
          app.use((request: { headers: { traceparent?: string } }, _answer: unknown, next: () => void) => {
            const [, traceId = '', spanId = '', flags] = request.headers.traceparent?.split('-') ?? [];
            const parent = { traceId, spanId, traceFlags: Number(flags) };
            context.with(trace.setSpanContext(ROOT_CONTEXT, parent), next);
          }),
      });
      hosts.push(host);
      sandbox.setNotifyUrl(`${host.url}/webhooks/payments`);
      return host;
    },
    async nextProcess() {
      await end();
      traces = openTraces();
    },
    pay: ({ serviceId }) => void sandbox.payments.pay(serviceId ?? '', { outcome: 'succeed' }),
    spans: () => traces.spans(),
    named: (name) => traces.named(name),
    spansOf,
    async ended(payment, name) {
      const found = async () => spansOf(payment, name);
      const [span] = await eventually(found, ({ length }) => length > 0);
      if (!span) throw new Error(`There is no ${name}.`);
      return span;
    },
    keptWith: ({ id }) => kept('SELECT traceparent FROM payments_payments WHERE id = $1', [id]),
    keptWithNotification: ({ serviceId }, event) =>
      kept('SELECT traceparent FROM payments_notifications WHERE object_id = $1 AND event = $2', [
        serviceId,
        event,
      ]),
    async close() {
      await end();
      await sandbox.close();
      await database.close();
    },
  };
}
