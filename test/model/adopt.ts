import type { ServicePayment } from '../../libs/payments/src/api/service-payment.js';
import { isForgotten } from '../../libs/payments/src/apply/decide-adoption.js';
import { isOpen } from '../../libs/payments/src/common/payment-status.js';
import { placeOfTry } from '../../libs/payments/src/operations/found-try.js';
import { isKeyReused } from '../../libs/payments/src/operations/refused-operation.js';
import { bringTotal, letGo, lockOrder } from './ledger.js';
import { foundOperation, keyOf, want } from './operations.js';
import { indexOf, isOurs, NOW, operationOf, orderOf, paymentOf, serviceId } from './rows.js';
import { at, dueOf, type SeenPayment, type State, type World } from './state.js';

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
export function adopt(world: World, next: State, seen: SeenPayment): void {
  lockOrder(next);
  const { id, mark, changed } = seen;
  const { isReplaced: superseded, replaces, isNewest } = placeOf(world, next, seen);
  for (const older of replaces) {
    Object.assign(at(next.payments, older), { superseded: true, supersededByFind: true });
    letGo(world, next, older);
  }
  const payment = next.payments.length;
  next.payments.push({
    status: 'pending',
    serviceId: id,
    authorizedMinor: 0,
    capturedMinor: 0,
    refundedMinor: 0,
    superseded,
    supersededByFind: superseded,
    changed,
    tryNumber: mark + 1,
  });
  const create = { kind: 'create', payment, refund: null } as const;
  next.operations.push(foundOperation(create, keyOf(world, next, create)));
  next.queue.push(null);
  if (isNewest && !world.without.has('total of the newest try'))
    bringTotal(next, dueOf({ changed }, world.way));
  want(next, payment);
}

/** Among the tries of its order's part. */
function placeOf(world: World, { payments, order }: State, { mark, changed, status }: SeenPayment) {
  const isOlderOpen = payments.some((row) => isOpen(row.status) && !row.superseded);
  if (world.without.has('place by the number of its try'))
    return { isReplaced: isOlderOpen, replaces: [], isNewest: false };
  const dueMinor = dueOf({ changed }, world.way);
  const said = { part: '', tryNumber: mark + 1, amountMinor: dueMinor, totalDueMinor: dueMinor };
  const siblings = payments.map((row, index) => paymentOf(row, index, world.way));
  const place = placeOfTry({ ...said, madeAt: NOW, serviceStatus: status }, siblings, orderOf(order));
  return { ...place, replaces: place.replaces.map((older) => indexOf(older.id)) };
}

/** Adopts what has no row; where nobody locks the order, between the look and the row there is time. */
export function found(world: World, next: State, payment: SeenPayment): void {
  if (!isForgottenBy(world, next, payment)) return;
  if (world.without.has('adoption under the order lock')) next.finds.push(payment.id);
  else adopt(world, next, payment);
}
