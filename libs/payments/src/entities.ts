/**
 * The module's rows, for queries that read: never write to them, because the module's guarantees depend on its own writes.
 * Columns are no contract: a migration may rename, split or drop one in any version. What `PaymentsService` returns is one.
 */
export { PaymentsDeliveryEntity } from './schema/delivery.entity.js';
export { PaymentsDueEntity, type Lane } from './schema/due.entity.js';
export { PaymentsEventEntity, type EventSubject } from './schema/event.entity.js';
export { PaymentsHandlerEntity } from './schema/handler.entity.js';
export { PaymentsNotificationEntity, type NotificationStep } from './schema/notification.entity.js';
export {
  PaymentsOperationEntity,
  type OperationKind,
  type OperationOutcome,
} from './schema/operation.entity.js';
export { PaymentsOrderEntity } from './schema/order.entity.js';
export { PaymentsPaymentEntity } from './schema/payment.entity.js';
export { PaymentsReceiptEntity } from './schema/receipt.entity.js';
export { PaymentsRefundEntity } from './schema/refund.entity.js';
export { PaymentsStoreEntity, type StoreKind } from './schema/store.entity.js';
export type { ConfirmationType } from './api/method-rules.js';
export type { StoredConfirmation } from './api/objects/confirmation.js';
export type { ReceiptStatus } from './api/objects/fields.js';
