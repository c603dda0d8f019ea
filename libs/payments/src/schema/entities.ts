import { PaymentsAuditEntity } from './audit.entity.js';
import { PaymentsCommitMarkEntity } from './commit-mark.entity.js';
import { PaymentsDeliveryEntity } from './delivery.entity.js';
import { PaymentsDueEntity } from './due.entity.js';
import { PaymentsEventEntity } from './event.entity.js';
import { PaymentsHandlerEntity } from './handler.entity.js';
import { PaymentsIncidentEntity } from './incident.entity.js';
import { PaymentsNotificationEntity } from './notification.entity.js';
import { PaymentsOAuthStateEntity } from './oauth-state.entity.js';
import { PaymentsOperationEntity } from './operation.entity.js';
import { PaymentsOrderEntity } from './order.entity.js';
import { PaymentsPaymentEntity } from './payment.entity.js';
import { PaymentsRateLimitEntity } from './rate-limit.entity.js';
import { PaymentsReceiptProblemEntity } from './receipt-problem.entity.js';
import { PaymentsReceiptEntity } from './receipt.entity.js';
import { PaymentsRecoveryEntity } from './recovery.entity.js';
import { PaymentsRefundEntity } from './refund.entity.js';
import { PaymentsStoreEntity } from './store.entity.js';

/**
 * The module's entities. A data source with `autoLoadEntities: true` gets them by itself; one that lists its
 * entities adds these.
 */
export const paymentsEntities: (new () => object)[] = [
  PaymentsStoreEntity,
  PaymentsRateLimitEntity,
  PaymentsCommitMarkEntity,
  PaymentsRecoveryEntity,
  PaymentsAuditEntity,
  PaymentsOAuthStateEntity,
  PaymentsOrderEntity,
  PaymentsPaymentEntity,
  PaymentsDueEntity,
  PaymentsRefundEntity,
  PaymentsReceiptEntity,
  PaymentsReceiptProblemEntity,
  PaymentsIncidentEntity,
  PaymentsOperationEntity,
  PaymentsNotificationEntity,
  PaymentsEventEntity,
  PaymentsHandlerEntity,
  PaymentsDeliveryEntity,
];
