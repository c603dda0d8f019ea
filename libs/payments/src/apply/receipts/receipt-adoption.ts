import { settledBy, type ServiceReceipt } from '../../api/service-receipt.js';
import { isRecord } from '../../common/is-record.js';
import { endOperation, foundOperation } from '../../operations/new-operation.js';
import { foundReceiptBody } from '../../operations/request-body.js';
import { withRow, type Draft } from '../../payment/draft.js';
import {
  closeProblem,
  receiptRow,
  seeReceipt,
  submitReceipt,
} from '../../payment/receipts/receipt-change.js';
import type { State } from '../../payment/state.js';
import { bodyOf } from '../../receipts/owed-body.js';
import type { ReceiptRow } from '../../schema/rows.js';
import { forgottenReceipts, type ForgottenReceipt } from './forgotten-receipts.js';
import { settleReceipts } from './settle-owed.js';

const cause = 'recovery';

type KnownReceipt = ReceiptRow & { readonly unsentTypes: readonly string[] | null };

/**
 * With the payment's own receipts that the database has forgotten, as the service has them, and with what is owed by then. `listed`: all
 * that the service has of the payment, oldest first.
 */
export function adoptReceipts(
  before: Draft,
  listed: readonly ServiceReceipt[],
  terms: Parameters<typeof settleReceipts>[2],
): { readonly draft: Draft; readonly count: number } {
  const { payment, refunds } = before;
  const forgotten = forgottenReceipts(payment, refunds, knownReceipts(before), listed);
  if (forgotten.length === 0) return { draft: before, count: 0 };
  return {
    draft: settleReceipts(forgotten.reduce(withForgotten, before), cause, terms),
    count: forgotten.length,
  };
}

function knownReceipts({ receipts, operations }: State): KnownReceipt[] {
  const unsent = operations.filter(
    ({ firstSentAt, settledAt }) => firstSentAt === null && settledAt === null,
  );
  const bodies = new Map(unsent.map(({ receiptId, body }) => [receiptId, body]));
  return receipts.map((receipt) => {
    const body = receipt.status === 'owed' ? receipt.body : (bodies.get(receipt.id) ?? null);
    return { ...receipt, unsentTypes: body === null ? null : typesIn(body) };
  });
}

function withForgotten(
  draft: Draft,
  { object, isSentAgain, row, ...said }: ForgottenReceipt<KnownReceipt>,
  place: number,
): Draft {
  const { payment, now } = draft;
  const receipt = row ?? receiptRow(draft, { ...said, status: 'submitting' }, place);
  const opened = row ? draft : { ...draft, receipts: withRow(draft.receipts, receipt) };
  const whose = { receiptId: receipt.id, refundId: said.refundId };
  const known = withOperation(opened, receipt, object, said.type, row, { payment, now });
  const submitted = known.receipts.find(({ id }) => id === receipt.id) ?? receipt;
  const seen = seeReceipt(known, submitted, object, { isLate: false, cause });
  return isSentAgain ? closeProblem(seen, whose, cause) : seen;
}

/** With the request that made it: the one that was recorded, or one that says what the service has. */
function withOperation(
  draft: Draft,
  receipt: ReceiptRow,
  object: ServiceReceipt,
  type: ReceiptRow['type'],
  row: KnownReceipt | null,
  { payment, now }: Pick<Draft, 'payment' | 'now'>,
): Draft {
  const { id: receiptId } = receipt;
  const open = draft.operations.find((one) => one.receiptId === receiptId && one.settledAt === null);
  if (row?.status === 'submitting') return open ? endOperation(draft, open, 'confirmed') : draft;
  const subject =
    object.refundId === null ? { payment_id: payment.serviceId ?? '' } : { refund_id: object.refundId };
  const request = row?.body
    ? { body: JSON.stringify(bodyOf(row.body, type, subject)), personal: row.personal }
    : foundReceiptBody(object, subject);
  const submitted = row === null ? draft : submitReceipt(draft, receipt);
  const operation = foundOperation(payment, { kind: 'receipt', receiptId, request }, now);
  return { ...submitted, operations: withRow(submitted.operations, operation) };
}

function typesIn(body: string): readonly string[] {
  const said: unknown = JSON.parse(body);
  return settledBy(isRecord(said) ? said['settlements'] : null).settlementTypes;
}
