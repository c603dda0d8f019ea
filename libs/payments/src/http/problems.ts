import type { PaymentsErrorCode } from './error-codes.js';

/** What an error is to a client of the host, who sees none of its message: that is for the host. */
export interface ProblemKind {
  readonly status: 400 | 404 | 409 | 422 | 500 | 502 | 503 | 504;
  readonly title: string;
  /** What to do next. */
  readonly detail: string;
  /** Where it is known before the service says so itself. */
  readonly retryAfterSeconds?: number;
}

const withStatus =
  (status: ProblemKind['status']) =>
  (title: string, detail: string, retryAfterSeconds?: number): ProblemKind => ({
    status,
    title,
    detail,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
/** What was sent is wrong. */
const invalid = withStatus(400);
const missing = withStatus(404);
/** The order, the payment or the store is in another state. */
const conflict = withStatus(409);
/** The key was used for something else. */
const reused = withStatus(422);
/** Only the people who run the application can change it. */
const ours = withStatus(500);
/** The service, and not the client, is who refused. */
const refused = withStatus(502);
/** It passes by itself. */
const unavailable = withStatus(503);
const late = withStatus(504);

const PEOPLE = 'Sending the same again changes nothing: the application’s log says what has to be set right.';
const NOTHING_SENT = 'Nothing was sent. Try again in a moment.';
const SAME_AGAIN = 'The service may have acted: send the same again, and the same payment or refund goes on.';
const READ_AGAIN = 'Read the payment again before anything else is tried.';

/** What becomes of each error over HTTP; docs/taking-payments.md has the same table. */
export const problems = {
  // What was asked for
  payment_input: invalid('A field breaks a rule', 'Fix the field that is named.'),
  payment_not_found: missing('There is no such payment', 'Check its id.'),
  order_not_found: missing('There is no such order', 'Check its reference.'),
  store_not_found: missing('There is no such store', 'Check its id.'),
  refund_key_reused: reused(
    'The refund’s key was used for another refund',
    'Send the same values to resume that refund, or another key for a new one.',
  ),
  receipt_key_reused: reused(
    'The receipt’s key was used for another receipt',
    'Send the same values to resume that receipt, or another key for a new one.',
  ),

  // The order, its payment or its store
  payment_closed: conflict(
    'The payment is closed here, and the service has it',
    'Start no other payment: people of the shop are told, and settle it.',
  ),
  order_already_paid: conflict('The order is already held or paid', 'Show the order, not a payment link.'),
  order_amount_exceeded: conflict(
    'The order would be paid twice',
    'Finish the payment that is open; another cart has to replace it.',
  ),
  order_payment_open: conflict(
    'The order has another open payment',
    'Finish the payment that is open; another cart has to replace it.',
  ),
  order_total_differs: conflict(
    'Another sum is due for the order',
    'The order was paid: show it, and ask again with what was due.',
  ),
  order_payments_exceeded: conflict(
    'The order’s payment was replaced too often',
    'Finish the payment that is open.',
  ),
  operation_in_progress: conflict(
    'The payment is already being captured, canceled or replaced',
    'Wait for its end, then read the payment again.',
  ),
  payment_not_held: conflict('The payment is no hold', READ_AGAIN),
  payment_not_refundable: conflict(
    'The payment cannot be refunded',
    'Cancel it if it is held; refund it in another way if its method allows no refund.',
  ),
  payment_wholly_refunded: conflict('The payment is wholly refunded', 'Show its refunds.'),
  refund_amount_exceeded: conflict(
    'Less is left of the payment',
    'Ask for less, or wait for the refunds that are under way.',
  ),
  refund_window_closed: conflict('The payment is too old to be refunded', 'Refund the money in another way.'),
  audit_in_progress: conflict('The books are being compared already', 'Wait until that has ended.'),
  refund_not_acceptable: conflict(
    'The refund cannot be accepted',
    'Compare it with the Merchant Profile, and ask the service’s support.',
  ),
  receipt_not_possible: conflict('No receipt can be sent for the payment', READ_AGAIN),
  store_not_connected: conflict(
    'The store takes no payments now',
    'Its owner has to connect it again. Nothing was charged.',
  ),
  store_disabled: conflict(
    'The store takes no payments now',
    'Its owner has to have it enabled at the service. Nothing was charged.',
  ),

  // What passes by itself
  payment_outcome_unknown: unavailable('The payment service has not answered yet', SAME_AGAIN),
  recovery_in_progress: unavailable(
    'It is being checked what has been paid and refunded already',
    'Nothing was sent. Try again in a minute.',
    60,
  ),
  database_unconfirmed: unavailable(
    'No payments are taken or moved now',
    'Nothing was sent. The people who run the application have to say whether its database is a copy.',
  ),
  store_busy: unavailable('The store is being worked on', 'Try again in a few seconds.', 5),
  no_database_connection: unavailable('The database takes no more work now', NOTHING_SENT),
  database_deadline: unavailable('The database has not answered in time', 'Try again in a moment.'),
  service_circuit_open: unavailable('The payment service does not answer', NOTHING_SENT),
  service_credentials_unavailable: unavailable('The payment service cannot be asked now', NOTHING_SENT),
  service_too_many_requests: unavailable('The payment service is asked too often', 'Try again in a moment.'),
  service_network: unavailable('The payment service cannot be reached', SAME_AGAIN),
  service_failure: unavailable('The payment service failed', SAME_AGAIN),
  service_call_aborted: unavailable('The call was ended', SAME_AGAIN),
  service_timeout: late('The payment service has not answered in time', SAME_AGAIN),

  // What the service refused
  payment_rejected: refused('The payment service refused the payment', `Nothing was charged. ${PEOPLE}`),
  recurring_not_allowed: refused(
    'The store may not make recurring payments',
    'Nothing was charged. Pay without saving or using a saved method.',
  ),
  operation_refused: refused('The payment service refused', READ_AGAIN),
  service_request_invalid: refused('The payment service refused the request', PEOPLE),
  service_key_reused: refused('The payment service knows another request by this key', PEOPLE),
  service_credentials: refused('The payment service refused the credentials', PEOPLE),
  service_forbidden: refused('The payment service does not permit it', PEOPLE),
  service_recurring_not_allowed: refused('The store may not make recurring payments', PEOPLE),
  service_not_found: refused('The payment service knows no such object', PEOPLE),
  service_unexpected_answer: refused('The payment service’s answer cannot be used', SAME_AGAIN),
  service_clock_unknown: refused('The payment service’s clock cannot be read', PEOPLE),

  // What people have to set right
  payments_configuration: ours('The payments module is not set up', PEOPLE),
  store_permission: ours('The application lacks a permission at the service', PEOPLE),
  operation_contradicted: ours('The records of the payment contradict each other', PEOPLE),
  token_key_missing: ours('A store’s access token cannot be read', PEOPLE),
  token_unreadable: ours('A store’s access token cannot be read', PEOPLE),
  service_token_required: ours('The request needs an access token', PEOPLE),
} satisfies Record<PaymentsErrorCode, ProblemKind>;
