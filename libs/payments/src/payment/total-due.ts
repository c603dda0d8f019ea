import type { EntityManager } from 'typeorm';
import type { Cause } from '../common/cause.js';
import type { OrderFields } from '../schema/ledger-fields.js';
import type { PaymentsOrderEntity } from '../schema/order.entity.js';
import type { PaymentsPaymentEntity } from '../schema/payment.entity.js';
import type { ChangeEvent } from './change.js';
import type { Ledger } from './ledger.js';
import { orderEvents, totalsDue, type KnownOrder } from './order-totals.js';

/** Another sum that is due: who says so, and the payment that its events are of. */
interface NewTotal {
  readonly totalDueMinor: number;
  readonly paymentId: string;
  readonly cause: Extract<Cause, 'create' | 'total' | 'recovery'>;
}

/** What an order's totals are once another sum is due, and the events of that. */
export function withTotalDue(
  order: KnownOrder,
  { totalDueMinor, paymentId, cause }: NewTotal,
): { totals: OrderFields; events: ChangeEvent[] } {
  const totals = totalsDue(order, totalDueMinor);
  return { totals, events: orderEvents(order, totals, { paymentId, cause, supersededPaid: false }) };
}

/** Writes what is due for a locked order: its state follows, and its events. Returns whether handlers have something to do. */
export async function writeTotalDue(
  manager: EntityManager,
  ledger: Ledger,
  order: PaymentsOrderEntity,
  total: Omit<NewTotal, 'paymentId'> & { readonly payment: Pick<PaymentsPaymentEntity, 'id' | 'storeId'> },
): Promise<boolean> {
  const { payment } = total;
  const changed = withTotalDue(order, { ...total, paymentId: payment.id });
  const { isAnnounced } = await ledger.write(manager, { payment, order, after: null, ...changed });
  return isAnnounced;
}
