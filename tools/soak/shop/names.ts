/** A payment with this in its metadata is captured by a handler, in the transaction that marks the event handled. */
export const CAPTURE_IN_HANDLER = 'capture_in_handler';
/** Likewise, one with this is refunded as soon as it is paid. */
export const REFUND_IN_HANDLER = 'refund_in_handler';

/** The number of the order a payment is for, as the service keeps it. */
export const ORDER = 'order';
/** The buyer is sent to two payment pages and pays on both. */
export const PAYS_TWICE = 'pays_twice';
/** The name of the refund that a handler makes. */
export const BY_HANDLER = 'by the handler';
/** The name of a refund, as the service keeps it. */
export const REFUND_KEY = 'refund_key';
