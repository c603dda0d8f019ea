import type { ServiceReceipt } from '../../api/service-receipt.js';
import type { Cause } from '../../common/cause.js';
import { endOperation } from '../../operations/new-operation.js';
import type { Draft } from '../../payment/draft.js';
import { rejectReceipt, seeReceipt } from '../../payment/receipts/receipt-change.js';
import { isReceiptLate } from './receipt-news.js';

/** What a re-read says of a receipt that was sent by itself. */
export interface SeenReceipt {
  readonly receiptId: string;
  /** null: the service has never received it. */
  readonly object: ServiceReceipt | null;
  /** Of its operation when that was found out; null: it was answered before. */
  readonly attempts: number | null;
}

interface Applied {
  readonly draft: Draft;
  /** What a person has to look at. */
  readonly anomalies: readonly string[];
}

/** With what became of a payment's own receipts. */
export function applyReceipts(
  before: Draft,
  seen: readonly SeenReceipt[],
  cause: Cause,
  receiptLateMs: number,
): Applied {
  return seen.reduce<Applied>((applied, one) => applyOne(applied, one, cause, receiptLateMs), {
    draft: before,
    anomalies: [],
  });
}

function applyOne(
  applied: Applied,
  { receiptId, object, attempts }: SeenReceipt,
  cause: Cause,
  lateMs: number,
): Applied {
  const { draft, anomalies } = applied;
  const receipt = draft.receipts.find(({ id }) => id === receiptId);
  const operation = draft.operations.find((one) => one.receiptId === receiptId);
  if (!receipt || !operation)
    throw new Error(`There is no receipt ${receiptId} of payment ${draft.payment.id}.`);
  // Answered meanwhile; or its caller came back and sent it again.
  const isLost = attempts !== null;
  if (isLost && (operation.attempts !== attempts || operation.settledAt !== null)) return applied;
  if (object === null) {
    const reason = `the service has never received its receipt ${receipt.receiptKey}`;
    const ended = endOperation(rejectReceipt(draft, receipt, cause), operation, 'refused');
    return { draft: ended, anomalies: [...anomalies, reason] };
  }
  const isLate = isReceiptLate(receipt, { now: draft.now, lateMs });
  const known = seeReceipt(draft, receipt, object, { isLate, cause });
  return { draft: isLost ? endOperation(known, operation, 'confirmed') : known, anomalies };
}
