import type { Books } from '../books/books.js';
import { ControlError } from '../common/control-error.js';
import { endIn, knownFields, oneOf, reasonName, roublesMinor } from '../common/input.js';
import { refundView, type WireRefund } from '../refunds/refund-view.js';
import { ServiceError } from '../wire/service-error.js';

/** What a person can do with refunds, without the REST API. */
export interface RefundControl {
  /**
   * Refunds money as in the Merchant Profile: `"1234.50"` roubles, default all that is left. Proceeds as ordered by `next`.
   * Throws ControlError (400, 404, 409).
   */
  make(paymentId: string, amount?: string): WireRefund;
  /**
   * Orders what happens to the next refund, each call for one more: it stays `pending` until `finish`, or until it succeeds by
   * itself after three days; or it is `canceled` at once with the reason (default `general_decline`). Throws ControlError 400.
   */
  next(course: { readonly status: 'pending' | 'canceled'; readonly reason?: string }): void;
  /** Ends a pending refund; `reason` as for `next`. Throws ControlError (400, 404, 409). */
  finish(id: string, outcome: 'succeeded' | 'canceled', reason?: string): WireRefund;
  /** Throws ControlError 404. */
  get(id: string): WireRefund;
  /** Newest first. */
  list(): WireRefund[];
}

const DEFAULT_REASON = 'general_decline';

export function refundControl({ refunds, payments }: Pick<Books, 'refunds' | 'payments'>): RefundControl {
  return {
    make: (paymentId, amount) => {
      const payment = payments.get(paymentId);
      const amountMinor = amount === undefined ? refunds.freeMinor(payment) : roublesMinor(amount, 'amount');
      const request = {
        paymentId,
        amountMinor,
        description: null,
        metadata: {},
        receipt: null,
        methodData: null,
        sources: [],
        settlements: null,
      };
      return refundView(
        conflicts(() => refunds.create(payment, request, { createdBy: null, requestKey: null })),
      );
    },
    next: (course) => {
      const { status, reason = DEFAULT_REASON } = knownFields(course, ['status', 'reason']);
      const ordered = oneOf(status, 'status', ['pending', 'canceled'] as const);
      refunds.orderNext(
        ordered === 'pending' ? { status: ordered } : { status: ordered, reason: reasonName(reason) },
      );
    },
    finish: (id, outcome, reason = DEFAULT_REASON) => {
      const { status } = refunds.get(id);
      const end = endIn(outcome);
      if (status !== 'pending') throw new ControlError(409, `Refund ${id} is ${status}, not pending`);
      return refundView(end === 'succeeded' ? refunds.succeed(id) : refunds.cancel(id, reasonName(reason)));
    },
    get: (id) => refundView(refunds.get(id)),
    list: () => refunds.newestFirst().map(refundView),
  };
}

/** What the REST API would refuse is impossible here too. */
function conflicts<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError) throw new ControlError(409, error.message);
    throw error;
  }
}
