import { isRefundUnsettled } from '../../libs/payments/src/common/refund-status.js';
import { at, type Body, type OperationRow, type State, type World } from './state.js';

/** Operations as they are recorded, and what they make due. */

/** `receipt`: default: it is of none. */
type NewOperation = Pick<OperationRow, 'kind' | 'payment' | 'refund'> &
  Partial<Pick<OperationRow, 'receipt'>>;

/** The operation of what was found again: its fields stand as in any other's, so that two alike have one text. */
export const foundOperation = (
  { kind, payment, refund, receipt = null }: NewOperation,
  key: string,
): OperationRow => ({
  kind,
  payment,
  refund,
  receipt,
  key,
  outcome: 'confirmed',
  attempts: 1,
  leased: false,
  recorded: 3,
  firstSent: 3,
  lastSent: 3,
  refusedBy: null,
});

export const isUnsettled = ({ outcome }: Pick<OperationRow, 'outcome'>) =>
  outcome === null || outcome === 'unknown';

/** Whether something of the payment is open, besides its own status. */
export function hasOpenWork({ operations, refunds }: State, payment: number): boolean {
  return (
    operations.some((operation) => operation.payment === payment && isUnsettled(operation)) ||
    refunds.some((refund) => refund.payment === payment && isRefundUnsettled(refund.status))
  );
}

/** Has the payment re-read. */
export function want(next: State, payment: number, refundSignals = 0): void {
  const place = next.queue[payment] ?? { fence: null, leased: false, wanted: false, refundSignals: 0 };
  next.queue[payment] = { ...place, wanted: true, refundSignals: place.refundSignals + refundSignals };
}

/** Records an operation of a payment that the service knows. */
export function record(world: World, next: State, operation: NewOperation, isSent: boolean): number {
  next.operations.push({
    kind: operation.kind,
    payment: operation.payment,
    refund: operation.refund,
    receipt: operation.receipt ?? null,
    key: keyOf(world, next, operation),
    outcome: isSent ? 'unknown' : null,
    attempts: isSent ? 1 : 0,
    leased: isSent,
    recorded: 0,
    firstSent: isSent ? 0 : null,
    lastSent: isSent ? 0 : null,
    refusedBy: null,
  });
  if (!world.without.has('place with its record')) want(next, operation.payment);
  return next.operations.length - 1;
}

/** As the library makes it: of the payment's key, the refund's, and how many of the kind there were before. */
export function keyOf(
  { without }: World,
  { payments, refunds, receipts, operations, failedOver }: State,
  { kind, payment, ...of }: NewOperation,
): string {
  const nameOf = ({ refund, receipt = null }: Pick<NewOperation, 'refund' | 'receipt'>) =>
    receipt === null
      ? refund === null
        ? ''
        : (refunds[refund]?.refundKey ?? '')
      : (receipts[receipt]?.receiptKey ?? '');
  const earlier = operations.filter(
    (one) => one.kind === kind && one.payment === payment && nameOf(one) === nameOf(of),
  );
  const random = without.has('derived keys') && failedOver !== null ? ' anew' : '';
  const { tryNumber } = at(payments, payment);
  return `${kind} ${tryNumber} ${nameOf(of)} ${earlier.length}${random}`;
}

/** What its request says. */
export function bodyOf({ payments, refunds, receipts, operations }: State, operation: number): Body {
  const { kind, payment, refund, receipt } = at(operations, operation);
  const { tryNumber, changed, serviceId } = at(payments, payment);
  const row = refund === null ? null : at(refunds, refund);
  const said = receipt === null ? null : at(receipts, receipt);
  return {
    kind,
    mark: tryNumber - 1,
    changed,
    serviceId,
    refund: row && { refundKey: row.refundKey ?? '', whole: row.whole, amountMinor: row.amountMinor },
    receipt: said && { receiptKey: said.receiptKey, isOffset: said.isOffset },
  };
}

export function settle(next: State, operation: number, outcome: 'confirmed' | 'refused'): void {
  Object.assign(at(next.operations, operation), { outcome, leased: false });
}
