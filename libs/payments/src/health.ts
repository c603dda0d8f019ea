/** For `@nestjs/terminus`, which the host installs itself. */
export { PaymentsHealthIndicator } from './health/payments-health.indicator.js';
