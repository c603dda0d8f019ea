import type { Amount } from '../common/money.js';
import { OperationInProgressError, PaymentNotHeldError } from '../common/payments.errors.js';
import { captureAmount } from '../payment/capture-amount.js';
import type { Draft } from '../payment/draft.js';
import { mustBeByCard, type CaptureExtras } from '../payment/inputs/capture.input.js';
import { dropReceipt, openReceipt } from '../payment/receipts/receipt-change.js';
import type { State } from '../payment/state.js';
import { checkPartReceipt } from '../receipts/fiscalization.js';
import { owedBody } from '../receipts/owed-body.js';
import { keyOfNext, latestOf, owedKeys } from '../receipts/owed-keys.js';
import { receiptTotalMinor } from '../receipts/receipt-sums.js';
import type { ReceiptInput } from '../receipts/receipt.input.js';
import { withFields } from '../schema/ledger-fields.js';
import type { OperationRow } from '../schema/rows.js';
import { newOperation, recordOperation } from './new-operation.js';
import { recordedBody } from './personal-data.js';
import { hasOwedReceipts } from './receipts/owed-receipts-of.js';
import { CANCEL_BODY, captureBody, fingerprint } from './request-body.js';
import type { Asked, RequestTerms } from './request-terms.js';

/** How a hold is to end. */
export type FinishRequest =
  | { readonly kind: 'cancel' }
  | ({
      readonly kind: 'capture';
      /** undefined: all that is held. */
      readonly amount: Amount<string> | undefined;
    } & CaptureExtras);

const NOTHING_MORE: CaptureExtras = { airline: null, receipt: null, extra: {}, keepsDue: false };

/** All that is held is taken, and nothing more said. */
export const WHOLE_CAPTURE: FinishRequest = { kind: 'capture', amount: undefined, ...NOTHING_MORE };

/**
 * What a request to capture or cancel a hold means: a double click is one operation, in progress already, or done.
 * @throws PaymentInputError
 * @throws PaymentNotHeldError
 * @throws OperationInProgressError
 */
export function decideFinish(
  before: Draft,
  request: FinishRequest,
  terms: Pick<RequestTerms, 'profile' | 'fiscalization' | 'caller'>,
): Asked {
  const { payment, operations } = before;
  const { kind } = request;
  const { authorizedMinor, currency, receiptsAfter } = payment;
  const isHeld = payment.status === 'waiting_for_capture';
  const { airline, receipt, extra, keepsDue: keeps } = kind === 'capture' ? request : NOTHING_MORE;
  const amountMinor =
    kind === 'capture' && request.amount !== undefined
      ? captureAmount(payment, request.amount, terms.profile)
      : authorizedMinor;
  if (airline) mustBeByCard(payment);
  if (kind === 'capture' && isHeld) mustHaveReceipt(before, receipt, amountMinor, terms);
  const said = { airline, receipt: receiptsAfter ? null : receipt, extra };
  const body = kind === 'capture' ? captureBody(amountMinor, currency, said) : CANCEL_BODY;
  // A part that was refused said so of itself alone.
  const keepsDue = keeps && amountMinor < authorizedMinor;
  const isSame = kind === 'cancel' || keepsDue === payment.keepsDue;
  const earlier = finishOf(operations);
  if (isSame && earlier?.fingerprint === fingerprint(kind, body))
    return { operation: earlier, draft: null, isAnew: false };
  if (!isHeld) throw new PaymentNotHeldError(payment.id, kind, payment.status);
  if (earlier) throw new OperationInProgressError(payment.id, kind, earlier.kind);
  const draft = isSame ? before : { ...before, payment: withFields(payment, { keepsDue }) };
  const kept = receiptsAfter && receipt ? keepCapture(draft, receipt) : draft;
  const operation = newOperation(before, { kind, request: body }, terms.caller);
  return { operation, draft: recordOperation(kept, operation, terms.caller), isAnew: false };
}

/** The capture or cancel that counts: in progress or confirmed. A refused one has left the payment unchanged. */
export function finishOf(operations: readonly OperationRow[]): OperationRow | undefined {
  return operations.find(
    ({ kind, outcome }) => (kind === 'capture' || kind === 'cancel') && outcome !== 'refused',
  );
}

function mustHaveReceipt(
  { payment }: State,
  receipt: ReceiptInput | null,
  amountMinor: number,
  { fiscalization }: Pick<RequestTerms, 'fiscalization'>,
): void {
  const { receiptsAfter, authorizedMinor: wholeMinor } = payment;
  const hasReceipt = payment.receiptStatus !== null || hasOwedReceipts(payment);
  checkPartReceipt({ receipt, amountMinor, receiptsAfter }, { wholeMinor, hasReceipt }, fiscalization);
}

/** With the receipt of the part that is captured, in the place of that of an earlier capture, which was refused. */
function keepCapture(draft: Draft, receipt: ReceiptInput): Draft {
  const said = recordedBody(owedBody('payment', receipt));
  const earlier = latestOf(draft.receipts, owedKeys.capture);
  if (earlier?.body === said.body && earlier.personal === said.personal) return draft;
  const receiptKey = earlier ? keyOfNext(earlier.receiptKey) : owedKeys.capture;
  const amountMinor = receiptTotalMinor(receipt);
  const dropped = earlier?.status === 'owed' ? dropReceipt(draft, earlier) : draft;
  return openReceipt(dropped, {
    ...said,
    refundId: null,
    receiptKey,
    type: 'payment',
    status: 'owed',
    amountMinor,
  });
}
