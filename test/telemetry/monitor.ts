import { metrics } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

/** The SDK of this process, and what Prometheus would read from it. */
export interface Monitor {
  /** In Prometheus's format. */
  scrape(): Promise<string>;
  close(): Promise<void>;
}

/** Before the application is started. One at a time: the SDK is the process's own. */
export function startMonitor(): Monitor {
  const reader = new PrometheusExporter({ preventServerStart: true });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  const serializer = new PrometheusSerializer(undefined, false, undefined, true);
  return {
    scrape: async () => serializer.serialize((await reader.collect()).resourceMetrics),
    close: async () => {
      metrics.disable();
      await provider.shutdown();
    },
  };
}

/** The value of a series, by its name and labels; undefined if there is no such series. */
export function valueOf(
  scraped: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = scraped
    .split('\n')
    .find((one) => new RegExp(`^${name}[{ ]`).test(one) && wanted.every((part) => one.includes(part)));
  return line === undefined ? undefined : Number(/ (\S+)$/.exec(line)?.[1]);
}
