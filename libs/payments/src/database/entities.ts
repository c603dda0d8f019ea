import { DeliveryEntity } from '../handlers/delivery.entity.js';
import { HandlerEntity } from '../handlers/handler.entity.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { OperationEntity } from '../operations/operation.entity.js';
import { DueEntity } from '../payment/due.entity.js';
import { EventEntity } from '../payment/event.entity.js';
import { OrderEntity } from '../payment/order.entity.js';
import { PaymentEntity } from '../payment/payment.entity.js';
import { RefundEntity } from '../refunds/refund.entity.js';
import { OAuthStateEntity } from '../partner/oauth-state.entity.js';
import { StoreBudgetEntity } from '../stores/store-budget.entity.js';
import { StoreEntity } from '../stores/store.entity.js';

/**
 * The module's entities. A data source with `autoLoadEntities: true` gets them by itself; one that lists its
 * entities adds these.
 */
export const paymentsEntities = [
  StoreEntity,
  StoreBudgetEntity,
  OAuthStateEntity,
  OrderEntity,
  PaymentEntity,
  DueEntity,
  RefundEntity,
  OperationEntity,
  NotificationEntity,
  EventEntity,
  HandlerEntity,
  DeliveryEntity,
];
