import { AuditEntity } from './audit.entity.js';
import { CommitMarkEntity } from './commit-mark.entity.js';
import { DeliveryEntity } from './delivery.entity.js';
import { DueEntity } from './due.entity.js';
import { EventEntity } from './event.entity.js';
import { HandlerEntity } from './handler.entity.js';
import { IncidentEntity } from './incident.entity.js';
import { NotificationEntity } from './notification.entity.js';
import { OAuthStateEntity } from './oauth-state.entity.js';
import { OperationEntity } from './operation.entity.js';
import { OrderEntity } from './order.entity.js';
import { PaymentEntity } from './payment.entity.js';
import { RateLimitEntity } from './rate-limit.entity.js';
import { ReceiptProblemEntity } from './receipt-problem.entity.js';
import { ReceiptEntity } from './receipt.entity.js';
import { RecoveryEntity } from './recovery.entity.js';
import { RefundEntity } from './refund.entity.js';
import { StoreEntity } from './store.entity.js';

/**
 * The module's entities. A data source with `autoLoadEntities: true` gets them by itself; one that lists its
 * entities adds these.
 */
export const paymentsEntities: (new () => object)[] = [
  StoreEntity,
  RateLimitEntity,
  CommitMarkEntity,
  RecoveryEntity,
  AuditEntity,
  OAuthStateEntity,
  OrderEntity,
  PaymentEntity,
  DueEntity,
  RefundEntity,
  ReceiptEntity,
  ReceiptProblemEntity,
  IncidentEntity,
  OperationEntity,
  NotificationEntity,
  EventEntity,
  HandlerEntity,
  DeliveryEntity,
];
