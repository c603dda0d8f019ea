import { ControlError } from '../control/control-error.js';
import { knownFields, oneOf } from '../control/input.js';
import type { ReceiptBook } from './receipt-book.js';
import { receiptView, type WireReceipt } from './receipt-view.js';

/** What a person can do to receipts, without the REST API. */
export interface ReceiptControl {
  /**
   * Orders how the next receipt goes on, each call for one more: its register refuses it (`canceled`), or is never heard of
   * again (`pending`) until `finish`. Throws ControlError 400.
   */
  next(course: { readonly status: 'pending' | 'canceled' }): void;
  /** What the register says of a pending receipt, at last. Throws ControlError (400, 404, 409). */
  finish(id: string, outcome: 'succeeded' | 'canceled'): WireReceipt;
  /** Throws ControlError 404. */
  get(id: string): WireReceipt;
  /** Newest first. */
  list(): WireReceipt[];
}

export function receiptControl(receipts: ReceiptBook): ReceiptControl {
  const existing = (id: string) => {
    const receipt = receipts.find(id);
    if (!receipt) throw new ControlError(404, `No receipt ${id}`);
    return receipt;
  };
  return {
    next: (course) => {
      const { status } = knownFields(course, ['status']);
      receipts.orderNext(oneOf(status, 'status', ['pending', 'canceled'] as const));
    },
    finish: (id, outcome) => {
      const { status } = existing(id);
      const end = oneOf(outcome, 'outcome', ['succeeded', 'canceled'] as const);
      if (status !== 'pending') throw new ControlError(409, `Receipt ${id} is ${status}, not pending`);
      receipts.end(id, end);
      return receiptView(existing(id));
    },
    get: (id) => receiptView(existing(id)),
    list: () => receipts.newestFirst().map(receiptView),
  };
}
