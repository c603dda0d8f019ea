import { canMove } from '../../libs/payments/src/common/payment-status.js';
import { decideCreate, type CreateDecision } from '../../libs/payments/src/operations/create-decision.js';
import { nextTry } from '../../libs/payments/src/payment/intent-key.js';
import { sumsOf } from '../../libs/payments/src/payment/order-totals.js';
import { bringTotal, finishOf, letGo, planPlace } from './ledger.js';
import { bodyOf, keyOf } from './operations.js';
import { owedReceipt, settleOwed } from './receipts.js';
import { indexOf, intentOf, paymentOf } from './rows.js';
import { at, DUE_MINOR, dueOf, type PaymentRow, type Sending, type State, type World } from './state.js';

/** The service definitely refused a create, or never received it. */
export function reject(world: World, next: State, payment: number): void {
  const row = at(next.payments, payment);
  if (!canMove(row.status, 'rejected'))
    throw new Error(`A payment never moves from ${row.status} to rejected.`);
  row.status = 'rejected';
  next.order.version += 1;
  settleOwed(world, next, payment);
  planPlace(world, next, payment, true);
}

export function decisionOf(world: World, rows: readonly PaymentRow[], isChanged: boolean): CreateDecision {
  const payments = rows.map((row, index) => paymentOf(row, index, world.way));
  // As much is due as before, so nothing asks whether the order was paid.
  const order = { totalDueMinor: DUE_MINOR, state: 'unpaid', waivedMinor: 0, wasPaid: false } as const;
  return decideCreate(intentOf(isChanged, world.way), { ...order, ...sumsOf(payments) }, payments);
}

/** A host that asks for the changed cart wants none of those that are recorded before it, whichever of them the library replaces. */
function giveUp({ payments, givenUp }: State): void {
  for (const { changed, tryNumber } of payments)
    if (!changed && !givenUp.includes(tryNumber - 1)) givenUp.push(tryNumber - 1);
}

/** Records a payment in place of these; null if one of them is being captured. */
export function open(
  world: World,
  next: State,
  isChanged: boolean,
  supersede: readonly { readonly id: string }[],
): Sending | null {
  const isFirst = next.payments.length === 0;
  if (!isFirst) next.order.version += 1;
  for (const { id } of supersede) {
    const payment = indexOf(id);
    if (finishOf(next, payment)?.kind === 'capture') return null;
    at(next.payments, payment).superseded = true;
    letGo(world, next, payment);
  }
  if (isChanged) giveUp(next);
  const payment = next.payments.length;
  const tried = world.without.has('try number')
    ? 1
    : nextTry(
        '',
        next.payments.map((one, index) => paymentOf(one, index, world.way)),
      );
  const dueMinor = dueOf({ changed: isChanged }, world.way);
  if (isFirst) next.order.dueMinor = dueMinor;
  else bringTotal(next, dueMinor);
  const row: PaymentRow = {
    status: 'submitting',
    serviceId: null,
    authorizedMinor: 0,
    capturedMinor: 0,
    refundedMinor: 0,
    superseded: false,
    supersededByFind: false,
    changed: isChanged,
    tryNumber: tried,
  };
  next.payments.push(row);
  const isQueued = !world.without.has('place with its record');
  next.queue.push(isQueued ? { fence: null, leased: false, wanted: false, refundSignals: 0 } : null);
  if (world.way.receipts) next.receipts.push(owedReceipt(payment));
  const operation = next.operations.length;
  const create = { kind: 'create', payment, refund: null, receipt: null } as const;
  const key = keyOf(world, next, create);
  next.operations.push({
    ...create,
    key,
    outcome: 'unknown',
    attempts: 1,
    leased: true,
    recorded: 0,
    firstSent: 0,
    lastSent: 0,
    refusedBy: null,
  });
  return {
    operation,
    key,
    body: bodyOf(next, operation),
    attempts: 1,
    earlierUnknown: false,
    leased: true,
    sentBy: 'caller',
    asRecorded: isFirst ? { row: { ...row }, order: { ...next.order } } : null,
    at: 'claimed',
    answer: null,
  };
}
