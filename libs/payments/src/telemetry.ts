/** For `@opentelemetry/api`, which the host installs itself. */
export { PaymentsTelemetry } from './opentelemetry/payments-telemetry.js';
