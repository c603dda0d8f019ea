import type { ServicePayment } from '../../libs/payments/src/api/service-payment.js';
import { isForgotten, isReplacedBy } from '../../libs/payments/src/apply/adoption.js';
import { isKeyReused } from '../../libs/payments/src/operations/refused-operation.js';
import { lockOrder } from './ledger.js';
import { foundOperation, keyOf, want } from './operations.js';
import { isOurs, operationOf, paymentOf, serviceId } from './rows.js';
import { type SeenPayment, type State, type World } from './state.js';

/** What is found at the service and has no row: recorded again. */

export function isForgottenBy(world: World, state: State, payment: SeenPayment): boolean {
  if (world.without.has('forgotten found again')) return false;
  if (!isOurs(payment) && !world.without.has('verified mark')) return false;
  return isForgotten({ object: objectId(payment), rows: namedBy(world, state, payment) });
}

const objectId = ({ id }: SeenPayment): Pick<ServicePayment, 'id'> => ({ id: serviceId(id) });

/** The rows that its mark names. */
function namedBy(world: World, { payments, operations }: State, { mark }: SeenPayment) {
  return payments.flatMap((row, index) => {
    if (row.tryNumber !== mark + 1) return [];
    const create = operations.find(({ kind, payment }) => kind === 'create' && payment === index);
    const { id, storeId, status, serviceId: known } = paymentOf(row, index, world.way);
    const isReused = create !== undefined && isKeyReused(operationOf(create));
    return [{ id, storeId, status, serviceId: known, isKeyReused: isReused }];
  });
}

/** Under the lock on the order. */
export function adopt(world: World, next: State, { id, mark, changed }: SeenPayment): void {
  lockOrder(next);
  const siblings = next.payments.map((row, index) => paymentOf(row, index, world.way));
  const superseded = isReplacedBy(siblings);
  if (superseded) next.givenUp.push(mark);
  const payment = next.payments.length;
  next.payments.push({
    status: 'pending',
    serviceId: id,
    authorizedMinor: 0,
    capturedMinor: 0,
    refundedMinor: 0,
    superseded,
    changed,
    tryNumber: mark + 1,
  });
  const create = { kind: 'create', payment, refund: null } as const;
  next.operations.push({ ...foundOperation, ...create, key: keyOf(world, next, create) });
  next.queue.push(null);
  want(next, payment);
}

/** Adopts what has no row; where nobody locks the order, between the look and the row there is time. */
export function found(world: World, next: State, payment: SeenPayment): void {
  if (!isForgottenBy(world, next, payment)) return;
  if (world.without.has('adoption under the order lock')) next.finds.push(payment.id);
  else adopt(world, next, payment);
}
