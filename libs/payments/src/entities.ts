/**
 * The module's rows, for queries that read: never write to them, because the module's guarantees depend on its own writes.
 * Columns are no contract: a migration may rename, split or drop one in any version. What `PaymentsService` returns is one.
 */
export { DeliveryEntity } from './schema/delivery.entity.js';
export { DueEntity, type Lane } from './schema/due.entity.js';
export { EventEntity, type EventSubject } from './schema/event.entity.js';
export { HandlerEntity } from './schema/handler.entity.js';
export { NotificationEntity, type NotificationStep } from './schema/notification.entity.js';
export { OperationEntity, type OperationKind, type OperationOutcome } from './schema/operation.entity.js';
export { OrderEntity } from './schema/order.entity.js';
export { PaymentEntity } from './schema/payment.entity.js';
export { ReceiptEntity } from './schema/receipt.entity.js';
export { RefundEntity } from './schema/refund.entity.js';
export { StoreEntity, type StoreKind } from './schema/store.entity.js';
export type { ConfirmationType } from './api/method-rules.js';
export type { StoredConfirmation } from './api/objects/confirmation.js';
export type { ReceiptStatus } from './api/objects/fields.js';
