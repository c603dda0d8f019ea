import { ControlError } from '../common/control-error.js';
import { endIn, knownFields, oneOf, wholeNumber } from '../common/input.js';
import { DAY_MS } from '../common/time.js';
import { REGISTRATION_MS, type ReceiptBook } from '../receipts/receipt-book.js';
import { receiptView, type WireReceipt } from '../receipts/receipt-view.js';
import type { ReceiptStatus } from '../receipts/receipt.js';

/** A year: longer than anybody waits for a register. */
const LONGEST_MS = 366 * DAY_MS;

/** What a person can do to receipts, without the REST API. */
export interface ReceiptControl {
  /**
   * Orders how the next receipt goes on, each call for one more: its register refuses it (`canceled`), is never heard of
   * again (`pending`) until `finish`, or registers it, as it does without an order. `ms`: how long it takes, by the sandbox's
   * clock; default 2000. Throws ControlError 400.
   */
  next(course: { readonly status: ReceiptStatus; readonly ms?: number }): void;
  /** What the register says of a pending receipt, at last. Throws ControlError (400, 404, 409). */
  finish(id: string, outcome: 'succeeded' | 'canceled'): WireReceipt;
  /** Throws ControlError 404. */
  get(id: string): WireReceipt;
  /** Newest first. */
  list(): WireReceipt[];
}

export function receiptControl(receipts: ReceiptBook): ReceiptControl {
  return {
    next: (course) => {
      const { status, ms = REGISTRATION_MS } = knownFields(course, ['status', 'ms']);
      receipts.orderNext({
        status: oneOf(status, 'status', ['succeeded', 'pending', 'canceled'] as const),
        ms: wholeNumber(ms, 'ms', 0, LONGEST_MS),
      });
    },
    finish: (id, outcome) => {
      const { status } = receipts.get(id);
      const end = endIn(outcome);
      if (status !== 'pending') throw new ControlError(409, `Receipt ${id} is ${status}, not pending`);
      receipts.end(id, end);
      return receiptView(receipts.get(id));
    },
    get: (id) => receiptView(receipts.get(id)),
    list: () => receipts.newestFirst().map(receiptView),
  };
}
