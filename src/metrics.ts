import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { explainListenError } from '../examples/shared/config/port.js';

/** Nobody but this machine's own monitor. */
const HOST = '127.0.0.1';

/** What is open to a monitor. */
interface OpenMetrics {
  /** Where Prometheus's format is. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Has whatever is started after it measured, and shows it on a port of its own: buyers reach the shop's, and none of this is theirs.
 */
export async function openMetrics(port: number): Promise<OpenMetrics> {
  const exporter = new PrometheusExporter({ host: HOST, port, preventServerStart: true });
  try {
    await exporter.startServer();
  } catch (error) {
    throw explainListenError(error, port, 'METRICS_PORT');
  }
  const provider = new MeterProvider({ readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  return {
    url: `http://${HOST}:${port}/metrics`,
    async close() {
      metrics.disable();
      await provider.shutdown();
    },
  };
}
