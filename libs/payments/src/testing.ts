/** For tests of a host: what its handlers get, and all that is around them. */
export { aPayment } from './testing/builders/a-payment.js';
export { aReceipt } from './testing/builders/a-receipt.js';
export { aRefund } from './testing/builders/a-refund.js';
export { aStore } from './testing/builders/a-store.js';
export { anOrder } from './testing/builders/an-order.js';
export { anEvent } from './testing/builders/an-event.js';
export { deliver, type Delivered } from './testing/deliver.js';
export type { NotedEffect } from './testing/noted-effects.js';
export * from './testing/testing.errors.js';
export {
  createTestPayments,
  type TestPayments,
  type TestPaymentsOptions,
} from './testing/create-test-payments.js';
export {
  openEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './testing/embedded/embedded-postgres.js';
export type { TestClock } from './testing/test-clock.js';
