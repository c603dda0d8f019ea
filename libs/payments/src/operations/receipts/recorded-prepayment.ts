import { settledBy } from '../../api/service-receipt.js';
import { isRecord } from '../../common/is-record.js';
import type { State } from '../../payment/state.js';
import { OWN_KEY } from '../../receipts/owed-keys.js';
import type { ReceiptType } from '../../receipts/own-receipt.js';
import type { KnownReceipt } from '../../receipts/prepayment.js';
import { itemTotalMinor } from '../../receipts/receipt-sums.js';
import { registeredOf } from '../../receipts/registered.js';
import { goodsOn, receiptIn } from './named-goods.js';

interface RecordedPrepayment {
  /** What was paid, then what was given back and settled, oldest first. */
  readonly said: readonly KnownReceipt[];
  /** Given back, and none of these says of which goods. */
  readonly unsaidMinor: number;
}

/**
 * A payment's receipts as they were recorded. Those of its money and its refunds count whatever their register does, since that
 * money has moved; the others count once they are registered.
 */
export function recordedPrepayment({
  payment,
  refunds,
  receipts,
  problems,
  operations,
}: Pick<State, 'payment' | 'refunds' | 'receipts' | 'problems' | 'operations'>): RecordedPrepayment {
  const { sold } = goodsOn(payment, [], { operations, receipts });
  const ofRefunds = new Map(operations.map(({ refundId, body }) => [refundId, body]));
  const ofReceipts = new Map(operations.map(({ receiptId, body }) => [receiptId, body]));
  const given = refunds
    .filter(({ status }) => status === 'succeeded')
    .map(({ id, amountMinor, createdAt: at }) => {
      const own = receipts.findLast(({ refundId, status }) => refundId === id && status !== 'void');
      // What is still to be sent has its text in its own row.
      const body = own ? (own.body ?? ofReceipts.get(own.id)) : ofRefunds.get(id);
      return { at, amountMinor, receipt: saidIn(body, 'refund', id) };
    });
  const settled = registeredOf(receipts, problems)
    .own.filter(
      ({ isRegistered, refundId, receiptKey }) =>
        isRegistered && refundId === null && !receiptKey.startsWith(OWN_KEY),
    )
    .map(({ id, type, createdAt: at }) => ({ at, receipt: saidIn(ofReceipts.get(id), type, null) }));
  const since = [...given, ...settled].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const unsaid = given.filter(({ receipt }) => receipt === null);
  const settledMinor = sold.reduce((sum, item) => sum + itemTotalMinor(item), 0);
  const paid = { ...UNNAMED, type: 'payment', refundId: null, items: sold, settledMinor } as const;
  return {
    said: [paid, ...since.flatMap(({ receipt }) => receipt ?? [])],
    unsaidMinor: unsaid.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
  };
}

/** Of what counts; nobody here asks what else it says. */
const UNNAMED = { status: 'succeeded', settlementTypes: [], head: {} } as const;

/** The receipt in a request that is one, or has one; null: it has no goods. */
function saidIn(body: string | undefined, type: ReceiptType, refundId: string | null): KnownReceipt | null {
  const receipt = receiptIn(body ?? null);
  if (receipt === null || !Array.isArray(receipt['items'])) return null;
  const items = receipt['items'].filter(isRecord);
  return { ...UNNAMED, type, refundId, items, ...settledBy(receipt['settlements']) };
}
