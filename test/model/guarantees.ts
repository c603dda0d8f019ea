import { isFinal } from '../../libs/payments/src/common/payment-status.js';
import { isRefundUnsettled } from '../../libs/payments/src/common/refund-status.js';
import { isUnsettled } from './ledger.js';
import { at, DUE_MINOR, type State, type World } from './state.js';

/** What no state may show. Each is a guarantee of ARCHITECTURE.md, as far as it is about order. */
export function faultOf(state: State): string | null {
  return charges(state) ?? refunds(state) ?? finals(state) ?? operations(state) ?? effects(state);
}

/** What no step may do. */
export function faultBetween(before: State, after: State): string | null {
  const changed = before.payments.findIndex(
    ({ status }, index) => isFinal(status) && after.payments[index]?.status !== status,
  );
  return changed === -1
    ? null
    : `payment ${changed} was ${at(before.payments, changed).status}, which is final`;
}

/** One charge for one order, unless the one before was given up for it: that is told once the money is known. */
function charges({ service, payments }: State): string | null {
  const charged = service.payments.filter(
    ({ mark, status }) => isMoney(status) && payments[mark]?.superseded === false,
  );
  return charged.length > 1 ? `the order is charged ${charged.length} times` : null;
}

const isMoney = (status: string) => status === 'succeeded' || status === 'waiting_for_capture';

function refunds({ service, refunds: rows }: State): string | null {
  for (const [id, { amountMinor }] of service.payments.entries()) {
    const own = service.refunds.filter(({ payment }) => payment === id);
    const outside = own.filter(({ mark }) => mark === null).reduce((sum, one) => sum + one.amountMinor, 0);
    const ours = own.reduce((sum, one) => sum + one.amountMinor, 0) - outside;
    if (ours > amountMinor) return `${ours} is refunded of ${amountMinor}`;
  }
  const keys = service.refunds.flatMap(({ mark }) => (mark === null ? [] : [at(rows, mark).refundKey]));
  return new Set(keys).size < keys.length ? 'one refund key was refunded twice' : null;
}

/** Nothing is final that is not so at the service, and can still become so. */
function finals({ payments, refunds: rows, service, operations: sent, wire }: State): string | null {
  for (const [index, { status, serviceId }] of payments.entries()) {
    if (status === 'rejected') {
      const isThere = service.payments.some(({ mark }) => mark === index);
      const isComing = wire.some(({ operation }) => {
        const { kind, payment } = at(sent, operation);
        return kind === 'create' && payment === index;
      });
      if (isThere) return `payment ${index} is rejected, and the service has it`;
      if (isComing) return `payment ${index} is rejected, and its request is on its way`;
    } else if (isFinal(status)) {
      const there = serviceId === null ? null : at(service.payments, serviceId).status;
      if (there !== status) return `payment ${index} is ${status}, and at the service ${there}`;
    }
  }
  for (const [index, { status }] of rows.entries()) {
    const isThere = service.refunds.some(({ mark }) => mark === index);
    if (status === 'rejected' && isThere) return `refund ${index} is rejected, and the service has made it`;
    if (status === 'succeeded' && !isThere && at(rows, index).refundKey !== null)
      return `refund ${index} is succeeded, and the service has not made it`;
  }
  return null;
}

function operations({ operations: rows, service, wire }: State): string | null {
  for (const [index, { outcome, kind }] of rows.entries()) {
    if (outcome !== 'refused') continue;
    if (service.acted.includes(index)) return `the ${kind} is over as without effect, and it had one`;
    if (
      wire.some(({ operation }) => operation === index) &&
      kind !== 'create' &&
      !hasEnded(rows, service, index)
    )
      return `the ${kind} is over as without effect, and it is on its way`;
  }
  return null;
}

/** The hold that it was for is gone: whatever arrives late has no effect. */
function hasEnded(rows: State['operations'], service: State['service'], operation: number): boolean {
  const { kind, payment } = at(rows, operation);
  const isFinish = kind === 'capture' || kind === 'cancel';
  return (
    isFinish &&
    service.payments.some(({ mark, status }) => mark === payment && status !== 'waiting_for_capture')
  );
}

function effects({ deliveries }: State): string | null {
  const counts = new Map<number, number>();
  for (const { payment, effects: made } of deliveries) counts.set(payment, (counts.get(payment) ?? 0) + made);
  for (const [payment, made] of counts)
    if (made > 1) return `the effect of payment ${payment} was made ${made} times`;
  return null;
}

/** Nothing is pending, and nobody is at it. */
export function isQuiet(state: State): boolean {
  const {
    callers,
    workers,
    wire,
    queue,
    operations: rows,
    refunds: given,
    notifications,
    deliveries,
  } = state;
  return (
    callers.every(({ sending, wishes }) => sending === null && wishes.length === 0) &&
    workers.every(({ work }) => work === null) &&
    wire.length === 0 &&
    queue.every((place) => place === null) &&
    !rows.some((row) => isUnsettled(row)) &&
    given.every(({ status }) => !isRefundUnsettled(status)) &&
    notifications.every(({ isReady }) => !isReady) &&
    deliveries.every(({ done }) => done) &&
    state.service.refunds.every(({ notified }) => notified)
  );
}

/** What must be right once nothing is pending: the books agree with the service, and what happened was told. */
export function faultAtRest(world: World, state: State): string | null {
  const { payments, service, order, deliveries } = state;
  for (const [id, { mark, status, refundedMinor }] of service.payments.entries()) {
    const row = payments[mark];
    if (row?.serviceId !== id || row.status !== status)
      return `nothing is pending, and payment ${mark} is ${row?.status ?? 'unknown'} here and ${status} at the service`;
    if (row.refundedMinor !== refundedMinor)
      return `nothing is pending, and ${refundedMinor} is refunded at the service, ${row.refundedMinor} here`;
    const made = deliveries.filter(({ payment, effects: times }) => payment === mark && times === 1).length;
    if (world.handlers && status === 'succeeded' && made !== 1)
      return `nothing is pending, and the effect of payment ${mark} was made ${made} times`;
  }
  const paidMinor = payments.reduce((sum, { capturedMinor }) => sum + capturedMinor, 0);
  if (order.paidMinor !== paidMinor)
    return `nothing is pending, and the order has ${order.paidMinor} as paid instead of ${paidMinor}`;
  const refundedMinor = payments.reduce((sum, row) => sum + row.refundedMinor, 0);
  if (paidMinor - refundedMinor > DUE_MINOR && !order.told)
    return `nothing is pending, and nobody was told that ${paidMinor} is paid of ${DUE_MINOR}`;
  return null;
}
