/** What the examples take for granted: the packages' names, and a host of which they show a part. */
import type {
  Amount,
  EffectRecorder,
  Payment,
  PaymentsModuleOptions,
  PaymentsOperator,
  PaymentsService,
  ReceiptInput,
  ReceiptProblem,
} from '@holdfast/payments';
import type { CardPaymentsService } from '@holdfast/payments/card-data';
import type { PaymentsApi } from '@holdfast/payments/client';
import type { PartnerService, Store } from '@holdfast/payments/partner';
import type { INestApplication, Type } from '@nestjs/common';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';

export * from '@holdfast/board';
export * from '@holdfast/payments';
export * from '@holdfast/payments/card-data';
export * from '@holdfast/payments/cli';
export * from '@holdfast/payments/client';
export * from '@holdfast/payments/entities';
export * from '@holdfast/payments/health';
export * from '@holdfast/payments/partner';
export * from '@holdfast/payments/telemetry';
export * from '@holdfast/payments/testing';
export { startSandbox } from '@holdfast/sandbox';
export * from '@nestjs/common';
export * from '@nestjs/config';
export * from '@nestjs/core';
export * from '@nestjs/terminus';
export * from '@nestjs/typeorm';
export { context, metrics, trace } from '@opentelemetry/api';
export { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
export { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
export { MeterProvider } from '@opentelemetry/sdk-metrics';
export {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
export { readFile } from 'node:fs/promises';

export declare const payments: PaymentsService;
export declare const cards: CardPaymentsService;
export declare const operator: PaymentsOperator;
export declare const api: PaymentsApi;
export declare const app: INestApplication;
export declare const options: PaymentsModuleOptions;

export declare const effects: EffectRecorder;
export declare const payment: Payment;
export declare const paymentId: string;
export declare const problem: ReceiptProblem;
export declare const receipt: ReceiptInput;
export declare const paymentMethodId: string;
export declare const store: Store;
export declare const order: { reference: string };
export declare const amount: Amount;
export declare const paymentToken: string;
export declare const truCode: string;
export declare const returned: readonly object[];
export declare const returnUrl: string;
export declare const exporter: SpanExporter;
export declare const from: Date;
export declare const to: Date;
export declare const since: string;
export declare const cursor: string | undefined;

/** What an example's method belongs to. */
export declare class Host {
  readonly payments: PaymentsService;
  readonly operator: PaymentsOperator;
  readonly partner: PartnerService;
  readonly mails: Mails;
  readonly tasks: { add(key: string, text: string): Promise<void> };
}

/** The host's own. */
export declare const AppModule: Type;
export declare class Order {
  reference: string;
  total: string;
  buyer: string;
  paidAt: Date;
  shipped: boolean;
}
export declare class Mails {
  send(mail: { to: string; messageId: string; text: string }): Promise<void>;
}
export declare const mails: Mails;
export interface StaffRequest {
  readonly staff: { readonly name: string; readonly mayRefund: boolean };
}

export declare class StaffGuard {
  canActivate(): boolean;
}
export declare class SessionGuard extends StaffGuard {}
export declare const StockModule: Type;
export declare class StockService {
  hasLeft(reference: string): Promise<boolean>;
}
export declare const failures: { inc(labels: object): void };
export declare const histogram: { observe(labels: object, value: number): void };
export declare function Public(): ClassDecorator;
export declare function redirect(url: string): void;
export declare function sessionOf(request: object): { ownerId: string } | null;
export declare const cart: object;
export declare function placeOrder(cart: object): Promise<{ reference: string; total: string }>;
export declare function report(...what: unknown[]): Promise<void>;
export declare function remember(cursor: string | null): Promise<void>;
export declare function keep(what: unknown): Promise<void>;
