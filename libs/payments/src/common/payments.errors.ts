import { PaymentsError } from './base.errors.js';
import { DAY_MS } from './durations.js';
import { valueFromMinor } from './money.js';
import type { PaymentStatus } from './payment-status.js';

export { PaymentInputError, PaymentsError } from './base.errors.js';

/** The module's options or the host's wiring are wrong. Thrown while the application starts. */
export class PaymentsConfigurationError extends PaymentsError {
  readonly code = 'payments_configuration';

  constructor(
    /** Every fault found, each with its fix. */
    readonly faults: readonly string[],
  ) {
    super(`The payments module cannot start:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** No payment has this id. */
export class PaymentNotFoundError extends PaymentsError {
  readonly code = 'payment_not_found';

  constructor(readonly paymentId: string) {
    super(`There is no payment ${paymentId}. Pass the id that create() returned, not the service's own id.`);
  }
}

/** No order has this reference: it has never had a payment. */
export class OrderNotFoundError extends PaymentsError {
  readonly code = 'order_not_found';

  constructor(readonly orderReference: string) {
    super(`There is no order ${orderReference}: its first create() says what is due.`);
  }
}

/** No store has this id, or none that this module may use. */
export class StoreNotFoundError extends PaymentsError {
  readonly code = 'store_not_found';

  constructor(readonly store: string) {
    super(`There is no connected store ${store}. Pass the id under which its owner connected it.`);
  }
}

/** The store's owner has to connect it again before it can be paid; its payments can still be read. */
export class StoreNotConnectedError extends PaymentsError {
  readonly code = 'store_not_connected';

  constructor(
    readonly store: string,
    readonly status: 'needs_reconnect' | 'disconnected',
    options?: ErrorOptions,
  ) {
    super(
      `Store ${store} cannot be paid: ` +
        (status === 'disconnected' ? 'it was disconnected.' : 'the service no longer takes its token.') +
        ' Lead its owner through connecting it again.',
      options,
    );
  }
}

/** Another process works on the store's webhooks and settings, or this process ends. Whatever was done stays. */
export class StoreBusyError extends PaymentsError {
  readonly code = 'store_busy';

  constructor(readonly store: string) {
    super(
      `Another process works on store ${store}, or this process ends. Call again in a few seconds; ` +
        'otherwise the sweep continues.',
    );
  }
}

/** The app was not registered with the permission that the call takes. Nothing was stored or sent. */
export class StorePermissionError extends PaymentsError {
  readonly code = 'store_permission';

  constructor(
    readonly store: string,
    /** As the service calls it, e.g. `payments_capture`. */
    readonly permission: string,
  ) {
    super(
      `The call needs the permission ${permission}, which partner.permissions does not name. Have the app registered with ` +
        'it, add it there, and lead the owners through connecting their stores again.',
    );
  }
}

/** The service does not let the store take payments now. Nothing was stored or sent. */
export class StoreDisabledError extends PaymentsError {
  readonly code = 'store_disabled';

  constructor(readonly store: string) {
    super(
      `Store ${store} is disabled at the service. Its owner can have it enabled there; refreshStore() finds out.`,
    );
  }
}

/**
 * The service, or the database that records the request, has not answered, so the outcome is unknown. Nothing is lost: what is
 * recorded has its key, and the sweep resolves it. Call the same method again to resume under the same key.
 */
export class PaymentOutcomeUnknownError extends PaymentsError {
  readonly code = 'payment_outcome_unknown';

  constructor(
    readonly paymentId: string,
    readonly operation: string,
    /** `reason`: what the network or the service said, in words that fit inside a sentence. */
    { reason, ...options }: ErrorOptions & { readonly reason?: string } = {},
  ) {
    super(
      `The outcome of the ${operation} of payment ${paymentId} is not known yet${reason === undefined ? '' : ` (${reason})`}. Call the same method again to ` +
        'resume it under the same key, or wait for the payment event; do not start another payment.',
      options,
    );
  }
}

/** The record of a request contradicts its rows: somebody wrote them past the module. It was not sent. */
export class OperationContradictedError extends PaymentsError {
  readonly code = 'operation_contradicted';

  constructor(
    readonly operationId: string,
    readonly operation: string,
    what: string,
  ) {
    super(
      `The recorded ${operation} ${operationId} was not sent: ${what} contradicts the rows of its payment. ` +
        'Find out who wrote to the tables of the module.',
    );
  }
}

/** The service definitely refused to create the payment; its own answer is the `cause`. Nothing was charged. */
export class PaymentRejectedError extends PaymentsError {
  readonly code: 'payment_rejected' | 'recurring_not_allowed' = 'payment_rejected';

  constructor(
    readonly paymentId: string,
    reason: string,
    options?: ErrorOptions & { readonly advice?: string },
  ) {
    const {
      advice = 'Fix what it names (for credentials: shopId and secretKey), then call create() again.',
    } = options ?? {};
    super(`The service refused payment ${paymentId}: ${reason}. ${advice}`, options);
  }
}

/**
 * The service has the payment, but its answer came after the payment was closed as never received, which is final. Its `payment.anomaly`
 * has the sum: a person gives the money back, or lets the payment count.
 */
export class PaymentClosedError extends PaymentsError {
  readonly code = 'payment_closed';

  constructor(
    readonly paymentId: string,
    /** The service's id of the payment, and its status there. */
    readonly serviceId: string,
    readonly serviceStatus: string,
  ) {
    super(
      `The service has payment ${paymentId} as ${serviceId}, ${serviceStatus}, and said so only after the payment was closed as never ` +
        'received. Do not start another payment: settle this one with the person who is told by payment.anomaly.',
    );
  }
}

/** The store may neither save methods nor charge saved ones. The service's answer is the `cause`. Nothing was charged. */
export class RecurringNotAllowedError extends PaymentRejectedError {
  override readonly code = 'recurring_not_allowed';

  constructor(paymentId: string, options?: ErrorOptions) {
    super(paymentId, 'the store may not make recurring payments', {
      ...options,
      advice:
        "Have them enabled by the service's manager, who may grant them for some methods only, such as SBP; until then leave " +
        'savePaymentMethod and paymentMethodId out, and let the buyer pay.',
    });
  }
}

/** The service refused a capture, cancel or refund, and the payment is still as `status` says. */
export class OperationRefusedError extends PaymentsError {
  readonly code = 'operation_refused';

  constructor(
    readonly paymentId: string,
    readonly operation: string,
    readonly status: PaymentStatus,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`The service refused the ${operation} of payment ${paymentId} (now ${status}): ${reason}`, options);
  }
}

/** The order's payment is already held or paid: show the order instead of a payment link. */
export class OrderAlreadyPaidError extends PaymentsError {
  readonly code = 'order_already_paid';

  constructor(
    readonly orderReference: string,
    readonly paymentId: string,
    /** `waiting_for_capture`: the money is held; `succeeded`: it is paid. */
    readonly status: 'waiting_for_capture' | 'succeeded',
  ) {
    const state = status === 'succeeded' ? 'paid' : 'held';
    super(
      `Order ${orderReference} is already ${state} by payment ${paymentId}. Show the order, not a payment link; if more is due, name the ` +
        'payment of the rest with part.',
    );
  }
}

/** One more payment would exceed what is due for the order: paid + held + open + new > total due. */
export class OrderAmountExceededError extends PaymentsError {
  readonly code = 'order_amount_exceeded';

  constructor(
    readonly orderReference: string,
    /** What the order's payments already claim, in minor units. */
    readonly claimedMinor: number,
    readonly totalDueMinor: number,
    /** A payment that is still open, if one is in the way. */
    readonly openPaymentId: string | null,
    /** What the create of that payment said otherwise, by the names of the input: `['amount', 'savePaymentMethod']`. */
    readonly differs: readonly string[] = [],
  ) {
    super(
      openPaymentId !== null && differs.length > 0 && !differs.includes('amount')
        ? `Order ${orderReference} already has an open payment, ${openPaymentId}, of the same sum${inOther(differs)}. Say the same as before to ` +
            'get that payment, or pass replace: true to take its place.'
        : `Order ${orderReference} would be paid twice: its payments already claim ${valueFromMinor(claimedMinor)} of ` +
            `the ${valueFromMinor(totalDueMinor)} due. ` +
            (openPaymentId === null
              ? 'If more is really due, say so in order.totalDue; of an order that was paid, by changeTotalDue() before that.'
              : `If the cart changed, pass replace: true to supersede payment ${openPaymentId}${inOther(differs)}.`),
    );
  }
}

/** The order has another open payment, and two open at once could both be paid. */
export class OrderPaymentOpenError extends PaymentsError {
  readonly code = 'order_payment_open';

  constructor(
    readonly orderReference: string,
    readonly openPaymentId: string,
    /** What its create said otherwise, by the names of the input: `['savePaymentMethod']`. */
    readonly differs: readonly string[] = [],
  ) {
    super(
      `Order ${orderReference} already has an open payment, ${openPaymentId}${inOther(differs)}. Pass replace: true to take its place, ` +
        'or name this one with part if the order is meant to be paid in several payments.',
    );
  }
}

function inOther(differs: readonly string[]): string {
  return differs.length === 0 ? '' : `, which differs in ${differs.join(', ')}`;
}

/**
 * The order was paid, and the create says that another sum is due. Nothing was stored or sent: handlers of `order.paid` may have shipped
 * by now, so what was due is not changed by the way.
 */
export class OrderTotalDiffersError extends PaymentsError {
  readonly code = 'order_total_differs';
  /** The field of the create. */
  readonly field = 'order.totalDue';

  constructor(
    readonly orderReference: string,
    /** What is due as recorded, in minor units. */
    readonly totalDueMinor: number,
    /** What the create says is due: its `order.totalDue` or, where that is left out, its `amount`. */
    readonly givenMinor: number,
  ) {
    super(
      `Order ${orderReference} was paid with ${valueFromMinor(totalDueMinor)} due, and order.totalDue (left out, amount) is ` +
        `${valueFromMinor(givenMinor)} now. Pass ${valueFromMinor(totalDueMinor)} or, if another sum is really due, call ` +
        'changeTotalDue() first.',
    );
  }
}

/**
 * The database may have forgotten what was paid or refunded of this order, as after a failover, and the service is being asked. Neither a
 * payment nor a refund was recorded or sent, and no total was changed: call again in a minute, a refund under the same `refundKey`, and
 * show the buyer "try again in a minute".
 */
export class RecoveryInProgressError extends PaymentsError {
  readonly code = 'recovery_in_progress';

  constructor(
    readonly orderReference: string,
    { isUnread = false, ...options }: ErrorOptions & { readonly isUnread?: boolean } = {},
  ) {
    const state = isUnread
      ? 'no process has begun to ask the service, which only one that sweeps does: at least one has to run without sweeps: false'
      : 'the service is being asked';
    super(
      `The database may have forgotten what was paid or refunded of order ${orderReference}: ${state}. Nothing was sent. Try again in a minute.`,
      options,
    );
  }
}

/**
 * The database is on another server than its mark says, or is another database, or another installation's: a restored backup, a move, or a
 * copy beside the original. Until a person says which, nothing that moves money or webhooks is recorded or sent, and no handler runs.
 */
export class UnconfirmedDatabaseError extends PaymentsError {
  readonly code = 'database_unconfirmed';

  constructor(
    /** What is another than it was, in words; null: it has not been looked at yet. */
    readonly what: string | null,
  ) {
    super(
      `${what ?? 'The database may be another one than it was.'} Nothing was recorded or sent. A person has to say which it is: ` +
        '"npx @holdfast/payments continue" where this database goes on (a restored backup, a move), "npx @holdfast/payments detach" where it ' +
        'is a copy beside the original.',
    );
  }
}

/** Too many payments of the order were replaced of late and may still be paid. Nothing was stored or sent. */
export class OrderPaymentsExceededError extends PaymentsError {
  readonly code = 'order_payments_exceeded';

  constructor(
    readonly orderReference: string,
    /** The one that would have been replaced. */
    readonly openPaymentId: string,
  ) {
    super(
      `Order ${orderReference} has as many replaced payments that may still be paid as one may have. Offer the open one, ${openPaymentId}, ` +
        'or wait until the time to pay the others has run out.',
    );
  }
}

/** Only a hold can be captured or canceled, and this payment is not one. */
export class PaymentNotHeldError extends PaymentsError {
  readonly code = 'payment_not_held';

  constructor(
    readonly paymentId: string,
    readonly operation: 'capture' | 'cancel',
    readonly status: PaymentStatus,
  ) {
    super(
      `Payment ${paymentId} is ${status}; only a payment in waiting_for_capture can take a ${operation}. ` +
        'Read its state with get() and decide again.',
    );
  }
}

/** Another capture or cancel of the same payment is in progress; only one can win, and it was not this call. */
export class OperationInProgressError extends PaymentsError {
  readonly code = 'operation_in_progress';

  constructor(
    readonly paymentId: string,
    readonly operation: 'capture' | 'cancel' | 'replace',
    readonly inProgress: string,
  ) {
    super(
      `Payment ${paymentId} is already being finished by another ${inProgress}; this ${operation} was not sent. ` +
        'Wait for its payment event, then read the state.',
    );
  }
}

/** Only money that was captured can be refunded, and this payment has captured none, or was paid in a way that gives none back. */
export class PaymentNotRefundableError extends PaymentsError {
  readonly code = 'payment_not_refundable';

  constructor(
    readonly paymentId: string,
    readonly status: PaymentStatus,
    /** The method that the service refunds nothing of; null: it is not the reason. */
    readonly method: string | null = null,
  ) {
    super(
      method === null
        ? `Payment ${paymentId} is ${status}; only a succeeded payment can be refunded. ` +
            (status === 'waiting_for_capture'
              ? 'To release its hold, cancel it.'
              : 'Read its state with get().')
        : `Payment ${paymentId} was paid by ${method}, which the service does not refund. Refund the money in another way.`,
    );
  }
}

/** The service refunds a payment for three years (assumed), by some methods for less, and this one is older. */
export class RefundWindowClosedError extends PaymentsError {
  readonly code = 'refund_window_closed';
  /** How long a payment by its method can be refunded, in ms. */
  readonly windowMs: number;

  constructor(
    readonly paymentId: string,
    { method, windowMs }: { readonly method: string | null; readonly windowMs: number },
  ) {
    const days = Math.floor(windowMs / DAY_MS);
    const years = Math.floor(days / 365);
    const span =
      years === 0 || days > years * 366 ? `${days} days` : years === 1 ? 'a year' : `${years} years`;
    super(
      `Payment ${paymentId} was made more than ${span} ago${method === null ? '' : ` by ${method}`} ` +
        'and can no longer be refunded through the service. Refund the money in another way.',
    );
    this.windowMs = windowMs;
  }
}

/** What the service says of a refund cannot be booked, or it says nothing of it: a person's word does not change that. */
export class RefundNotAcceptableError extends PaymentsError {
  readonly code = 'refund_not_acceptable';

  constructor(
    readonly paymentId: string,
    readonly refundId: string,
    reason: string,
  ) {
    super(
      `Refund ${refundId} of payment ${paymentId} cannot be accepted: ${reason}. Compare it with the Merchant Profile, and ask the service's support.`,
    );
  }
}

/** All that was captured has been refunded. */
export class PaymentWhollyRefundedError extends PaymentsError {
  readonly code = 'payment_wholly_refunded';

  constructor(readonly paymentId: string) {
    super(`Payment ${paymentId} is fully refunded already; see refunds(). There is nothing left to refund.`);
  }
}

/** Less is left of the payment than was to be refunded; what is in flight may not be promised twice. */
export class RefundAmountExceededError extends PaymentsError {
  readonly code = 'refund_amount_exceeded';
  /** The requested amount, in minor units; null: all that is left. */
  readonly amountMinor: number | null;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  /** Of refunds that are neither made nor refused yet. */
  readonly inFlightMinor: number;

  constructor(
    readonly paymentId: string,
    sums: {
      readonly amountMinor: number | null;
      readonly capturedMinor: number;
      readonly refundedMinor: number;
      readonly inFlightMinor: number;
    },
  ) {
    const { amountMinor, capturedMinor, refundedMinor, inFlightMinor } = sums;
    super(
      `Payment ${paymentId} cannot refund ${amountMinor === null ? 'anything more' : valueFromMinor(amountMinor)}: of the ` +
        `${valueFromMinor(capturedMinor)} captured, ${valueFromMinor(refundedMinor)} are refunded and ` +
        `${valueFromMinor(inFlightMinor)} in flight. Request less, or wait for what is in flight.`,
    );
    this.amountMinor = amountMinor;
    this.capturedMinor = capturedMinor;
    this.refundedMinor = refundedMinor;
    this.inFlightMinor = inFlightMinor;
  }
}

/** The key names another refund of this payment: another amount, description or metadata. */
export class RefundKeyReusedError extends PaymentsError {
  readonly code = 'refund_key_reused';

  constructor(
    readonly paymentId: string,
    readonly refundKey: string,
  ) {
    super(
      `The refundKey ${refundKey} of payment ${paymentId} was used for another amount, receipt, description, metadata or extra. ` +
        'Repeat it with the same values to resume that refund, or pass a key of its own for a new one.',
    );
  }
}

/** The key names another receipt of this payment. */
export class ReceiptKeyReusedError extends PaymentsError {
  readonly code = 'receipt_key_reused';

  constructor(
    readonly paymentId: string,
    readonly receiptKey: string,
  ) {
    super(
      `The receiptKey ${receiptKey} of payment ${paymentId} was used for another receipt. ` +
        'Repeat it with the same values to resume that receipt, or pass a key of its own for a new one.',
    );
  }
}

/** A receipt cannot be sent for what became of the money. */
export class ReceiptNotPossibleError extends PaymentsError {
  readonly code = 'receipt_not_possible';

  constructor(
    readonly paymentId: string,
    readonly reason: string,
  ) {
    super(`No receipt can be sent for payment ${paymentId}: ${reason}.`);
  }
}

/** An audit could not determine which of the service's objects belong to its period. */
export class ServiceClockUnknownError extends PaymentsError {
  readonly code = 'service_clock_unknown';

  constructor() {
    super(
      "The service's clock cannot be read: its answers have no Date header, and no payment of this store is known whose creation " +
        'would show it. Make every proxy between here and the service pass on the Date header.',
    );
  }
}

/** Another period of the store's books is being compared; one at a time is. */
export class AuditInProgressError extends PaymentsError {
  readonly code = 'audit_in_progress';

  constructor(readonly auditId: string) {
    super(
      `The store's books are being compared already, by audit ${auditId}. Wait until it has ended: keptAudit(id) shows how far it is.`,
    );
  }
}

/** A store's stored access token is encrypted with a key that `tokenKeys` does not contain; null: it is not set at all. */
export class TokenKeyMissingError extends PaymentsError {
  readonly code = 'token_key_missing';

  constructor(readonly keyId: string | null) {
    super(
      keyId === null
        ? 'The module has no key to encrypt access tokens with: set tokenKeys.'
        : `A stored access token is encrypted with the key "${keyId}", which tokenKeys.keys lacks: add it again, and remove it ` +
            'only after npx @holdfast/payments tokens rotate has re-encrypted every token.',
    );
  }
}

/** A store's stored access token was changed in the database, or is another store's. Connect the store again. */
export class TokenUnreadableError extends PaymentsError {
  readonly code = 'token_unreadable';

  constructor(
    /** Our own id of the store. */
    readonly storeId: string,
  ) {
    super(`The stored access token of store ${storeId} cannot be decrypted. Connect the store again.`);
  }
}
