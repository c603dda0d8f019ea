import { parseServiceReceipt, type ServiceReceipt } from '../../libs/payments/src/api/service-receipt.js';
import { forgottenReceipts } from '../../libs/payments/src/apply/receipts/forgotten-receipts.js';
import { formatAmount } from '../../libs/payments/src/common/money.js';
import { isOnlyLookedUp, isQuiet } from '../../libs/payments/src/operations/key-age.js';
import { decideOwed } from '../../libs/payments/src/receipts/decide-owed.js';
import { isFoundKey, latestOf, owedKeys } from '../../libs/payments/src/receipts/owed-keys.js';
import { excessOf } from '../../libs/payments/src/receipts/receipt-bounds.js';
import { registeredOf } from '../../libs/payments/src/receipts/registered.js';
import { foundOperation, isUnsettled, keyOf, record, settle, want } from './operations.js';
import { indexOf, NOW, operationOf, paymentOf, serviceId, timeOf } from './rows.js';
import { at, DUE_MINOR, type LookedUp, type ReceiptRow, type State, type World } from './state.js';

/** Receipts that are sent by themselves: those that follow the money, and those of which a caller says what they are of. */

/** Kept until its money has moved. */
export function owedReceipt(payment: number): ReceiptRow {
  return { payment, receiptKey: owedKeys.payment, isOffset: false, status: 'owed', serviceId: null };
}

const receiptId = (index: number) => `receipt-${index}`;
const receiptServiceId = (index: number) => `service-receipt-${index}`;
const typeOf = ({ isOffset }: Pick<ReceiptRow, 'isOffset'>) => (isOffset ? 'prepayment' : 'cashless');

function receiptsOf({ receipts }: State, payment: number) {
  return receipts.flatMap((row, index) => {
    const said = { type: 'payment', refundId: null, amountMinor: DUE_MINOR } as const;
    const id = receiptId(index);
    const bound = row.serviceId === null ? null : receiptServiceId(row.serviceId);
    return row.payment === payment ? [{ ...row, ...said, id, index, serviceId: bound }] : [];
  });
}

/** What a payment owes by now is recorded to be sent, dropped, or told as missing. */
export function settleOwed(world: World, next: State, payment: number): void {
  if (!world.way.receipts) return;
  const row = paymentOf(at(next.payments, payment), payment, world.way);
  const { own } = registeredOf(receiptsOf(next, payment), []);
  for (const owed of decideOwed(row, [], own)) {
    if (owed.kind === 'drop') at(next.receipts, owed.receipt.index).status = 'void';
    if (owed.kind === 'send') {
      at(next.receipts, owed.receipt.index).status = 'submitting';
      record(world, next, { kind: 'receipt', payment, refund: null, receipt: owed.receipt.index }, false);
    }
    if (owed.kind !== 'missing') continue;
    // It may be found.
    if (next.window !== null && !world.without.has('missing once the lists are read')) want(next, payment, 1);
    else if (!next.missing.includes(payment)) next.missing.push(payment);
  }
}

/** The service has taken it. */
export function receiptSeen(next: State, receipt: number, id: number): void {
  const row = at(next.receipts, receipt);
  if (row.serviceId === null) Object.assign(row, { serviceId: id, status: 'succeeded' });
  next.missing = next.missing.filter((payment) => payment !== row.payment);
}

/** Those whose answer was lost and that are sent no more, by what the service lists: each is known by what it says. */
export function lookUp({ without }: World, state: State, payment: number): LookedUp[] {
  const bound = new Set(state.receipts.map((row) => row.serviceId));
  return state.receipts.flatMap((row, receipt) => {
    const sent = state.operations.find((one) => one.receipt === receipt);
    const isOpen = row.payment === payment && row.status === 'submitting' && sent && isUnsettled(sent);
    if (!isOpen || !isOnlyLookedUp(operationOf(sent), NOW)) return [];
    if (!without.has('quiet before lost receipt') && !isQuiet(timeOf(sent.lastSent), NOW)) return [];
    const mine = listed(state, payment).filter(
      ({ id, settlementTypes }) => !bound.has(indexOf(id)) && settlementTypes.join() === typeOf(row),
    );
    const found = mine.at(-1);
    return [{ receipt, attempts: sent.attempts, serviceId: found ? indexOf(found.id) : null }];
  });
}

/** Ends them, unless somebody has sent them again. */
export function applyReceipts(next: State, seen: readonly LookedUp[]): void {
  for (const { receipt, attempts, serviceId: id } of seen) {
    const operation = next.operations.findIndex((one) => one.receipt === receipt);
    const row = at(next.operations, operation);
    if (!isUnsettled(row) || row.attempts !== attempts) continue;
    if (id === null) at(next.receipts, receipt).status = 'rejected';
    else receiptSeen(next, receipt, id);
    settle(next, operation, id === null ? 'refused' : 'confirmed');
  }
}

/** All that the service has of a payment, oldest first. */
function listed({ service, payments }: State, payment: number): ServiceReceipt[] {
  const of = at(payments, payment).serviceId;
  return service.receipts.flatMap((row, id) =>
    row.payment === of && of !== null ? [objectOf(row, id)] : [],
  );
}

function objectOf({ payment, isOffset }: { payment: number; isOffset: boolean }, id: number): ServiceReceipt {
  return parseServiceReceipt({
    id: receiptServiceId(id),
    type: 'payment',
    status: 'succeeded',
    payment_id: serviceId(payment),
    settlements: [{ type: typeOf({ isOffset }), amount: formatAmount(DUE_MINOR, 'RUB') }],
  });
}

/** Payments with a receipt at the service that has no row here. */
export function withUnknownReceipts({ service, payments, receipts }: State): number[] {
  return payments.flatMap(({ serviceId: of }, payment) => {
    const isUnknown = service.receipts.some(
      (one, id) => one.payment === of && !receipts.some((row) => row.serviceId === id),
    );
    return isUnknown ? [payment] : [];
  });
}

/** Records again what the database has forgotten of a payment's receipts, and does what is owed by then. */
export function adoptReceipts(world: World, next: State, payment: number): void {
  const { without } = world;
  const known = receiptsOf(next, payment).map((row) => {
    const sent = next.operations.find(({ receipt }) => receipt === row.index);
    const isUnsent = row.status === 'owed' || (sent?.firstSent === null && isUnsettled(sent));
    const isKnown = isUnsent && !without.has('never sent is what is listed');
    return { ...row, unsentTypes: isKnown ? [typeOf(row)] : null };
  });
  const open = without.has('sent waits for its answer') ? known.filter(isAnswered) : known;
  const payments = paymentOf(at(next.payments, payment), payment, world.way);
  for (const found of forgottenReceipts(payments, [], open, listed(next, payment))) {
    const id = indexOf(found.object.id);
    const isOffset = found.object.settlementTypes.join() === typeOf({ isOffset: true });
    const receipt = found.row?.index ?? next.receipts.length;
    if (found.row === null)
      next.receipts.push({
        payment,
        receiptKey: found.receiptKey,
        isOffset,
        status: 'submitting',
        serviceId: null,
      });
    const sent = next.operations.findIndex((one) => one.receipt === receipt);
    if (sent === -1) {
      const operation = { kind: 'receipt', payment, refund: null, receipt } as const;
      next.operations.push(foundOperation(operation, `${keyOf(world, next, operation)} found`));
    } else settle(next, sent, 'confirmed');
    receiptSeen(next, receipt, id);
  }
  settleOwed(world, next, payment);
}

const isAnswered = ({ status, unsentTypes }: { status: string; unsentTypes: unknown }) =>
  status !== 'submitting' || unsentTypes !== null;

/** What a caller who asks for a receipt of its own gets. */
export type AskedReceipt =
  | { readonly kind: 'known'; readonly operation: number }
  | { readonly kind: 'too much' }
  | { readonly kind: 'opened'; readonly receipt: number };

export function askForReceipt(world: World, next: State, payment: number, receiptKey: string): AskedReceipt {
  const own = receiptsOf(next, payment);
  const known = world.without.has('receipt key') ? undefined : latestOf(own, receiptKey);
  const operationOfReceipt = (index: number) => next.operations.findIndex(({ receipt }) => receipt === index);
  if (known) return { kind: 'known', operation: operationOfReceipt(known.index) };
  const found = own.find(
    ({ receiptKey: key, status, isOffset }) => isFoundKey(key) && status !== 'void' && isOffset,
  );
  const row = { payment, receiptKey, isOffset: true };
  if (found) {
    const { serviceId: id } = at(next.receipts, found.index);
    Object.assign(at(next.receipts, found.index), { status: 'void', serviceId: null });
    const receipt = next.receipts.push({ ...row, status: 'succeeded', serviceId: id }) - 1;
    const operation = { kind: 'receipt', payment, refund: null, receipt } as const;
    const key = `${keyOf(world, next, operation)} found`;
    return { kind: 'known', operation: next.operations.push(foundOperation(operation, key)) - 1 };
  }
  const { status, authorizedMinor, capturedMinor } = at(next.payments, payment);
  const money = {
    payment: { status, authorizedMinor, capturedMinor, receiptStatus: null },
    refunds: [],
    problems: [],
    totalDueMinor: DUE_MINOR,
  };
  const sent = own.map((one) => ({ ...one, ...saidOf(one) }));
  const excess = excessOf(money, sent, { type: 'payment', refundId: null, ...saidOf(row) });
  if (excess !== null && !world.without.has('receipts fit the money')) return { kind: 'too much' };
  const receipt = next.receipts.push({ ...row, status: 'submitting', serviceId: null }) - 1;
  return { kind: 'opened', receipt };
}

const saidOf = ({ isOffset }: Pick<ReceiptRow, 'isOffset'>) => ({
  cashlessMinor: isOffset ? 0 : DUE_MINOR,
  prepaymentMinor: isOffset ? DUE_MINOR : 0,
});
