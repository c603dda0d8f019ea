import * as payments from '@holdfast/payments';

/** In every text that an error takes: no client of the host may see it. */
export const INSIDE = 'inside-only';

const unknown = { cause: new Error(`connect ECONNREFUSED 127.0.0.1:4010, ${INSIDE}`) };
const details = {
  request: `POST /v3/${INSIDE}`,
  httpStatus: 400,
  serviceCode: INSIDE,
  description: INSIDE,
  parameter: INSIDE,
  requestId: INSIDE,
  idempotenceKey: INSIDE,
};
const sums = { amountMinor: 73_000, capturedMinor: 73_001, refundedMinor: 73_002, inFlightMinor: 73_003 };

/** One error of each code. */
export const everyError: Record<
  payments.PaymentsErrorCode,
  payments.PaymentsError | payments.DatabaseDeadlineError
> = {
  payments_configuration: new payments.PaymentsConfigurationError([INSIDE]),
  payment_input: new payments.PaymentInputError('amount.value', 'must be above zero'),
  payment_not_found: new payments.PaymentNotFoundError(INSIDE),
  order_not_found: new payments.OrderNotFoundError(INSIDE),
  store_not_found: new payments.StoreNotFoundError(INSIDE),
  store_not_connected: new payments.StoreNotConnectedError(INSIDE, 'disconnected'),
  store_busy: new payments.StoreBusyError(INSIDE),
  store_permission: new payments.StorePermissionError(INSIDE, INSIDE),
  store_disabled: new payments.StoreDisabledError(INSIDE),
  payment_outcome_unknown: new payments.PaymentOutcomeUnknownError(INSIDE, 'create', {
    ...unknown,
    reason: INSIDE,
  }),
  operation_contradicted: new payments.OperationContradictedError(INSIDE, 'create', INSIDE),
  payment_rejected: new payments.PaymentRejectedError(INSIDE, INSIDE, unknown),
  payment_closed: new payments.PaymentClosedError(INSIDE, INSIDE, 'succeeded'),
  recurring_not_allowed: new payments.RecurringNotAllowedError(INSIDE, unknown),
  operation_refused: new payments.OperationRefusedError(INSIDE, 'refund', 'succeeded', INSIDE, unknown),
  order_already_paid: new payments.OrderAlreadyPaidError(INSIDE, INSIDE, 'succeeded'),
  order_amount_exceeded: new payments.OrderAmountExceededError(INSIDE, 73_000, 73_001, INSIDE),
  order_payment_open: new payments.OrderPaymentOpenError(INSIDE, INSIDE),
  order_total_differs: new payments.OrderTotalDiffersError(INSIDE, 73_000, 73_001),
  order_payments_exceeded: new payments.OrderPaymentsExceededError(INSIDE, INSIDE),
  database_unconfirmed: new payments.UnconfirmedDatabaseError(INSIDE),
  recovery_in_progress: new payments.RecoveryInProgressError(INSIDE, unknown),
  payment_not_held: new payments.PaymentNotHeldError(INSIDE, 'capture', 'canceled'),
  operation_in_progress: new payments.OperationInProgressError(INSIDE, 'capture', INSIDE),
  payment_not_refundable: new payments.PaymentNotRefundableError(INSIDE, 'canceled', INSIDE),
  refund_window_closed: new payments.RefundWindowClosedError(INSIDE, { method: INSIDE, windowMs: 1 }),
  audit_in_progress: new payments.AuditInProgressError(INSIDE),
  refund_not_acceptable: new payments.RefundNotAcceptableError(INSIDE, INSIDE, INSIDE),
  payment_wholly_refunded: new payments.PaymentWhollyRefundedError(INSIDE),
  refund_amount_exceeded: new payments.RefundAmountExceededError(INSIDE, sums),
  refund_key_reused: new payments.RefundKeyReusedError(INSIDE, INSIDE),
  receipt_key_reused: new payments.ReceiptKeyReusedError(INSIDE, INSIDE),
  receipt_not_possible: new payments.ReceiptNotPossibleError(INSIDE, INSIDE),
  service_clock_unknown: new payments.ServiceClockUnknownError(),
  token_key_missing: new payments.TokenKeyMissingError(INSIDE),
  token_unreadable: new payments.TokenUnreadableError(INSIDE),
  service_request_invalid: new payments.ServiceRequestInvalidError(INSIDE, details),
  service_key_reused: new payments.ServiceKeyReusedError(INSIDE, details),
  service_credentials: new payments.ServiceCredentialsError(INSIDE, details),
  service_credentials_unavailable: new payments.ServiceCredentialsUnavailableError(INSIDE, details),
  service_forbidden: new payments.ServiceForbiddenError(INSIDE, details),
  service_recurring_not_allowed: new payments.ServiceRecurringNotAllowedError(INSIDE, details),
  service_not_found: new payments.ServiceNotFoundError(INSIDE, details),
  service_token_required: new payments.ServiceTokenRequiredError(INSIDE, details),
  service_too_many_requests: new payments.ServiceTooManyRequestsError(INSIDE, {
    ...details,
    retryAfterMs: 2_001,
  }),
  service_circuit_open: new payments.ServiceCircuitOpenError(INSIDE, details),
  service_failure: new payments.ServiceFailureError(INSIDE, details),
  service_network: new payments.ServiceNetworkError(INSIDE, details),
  service_timeout: new payments.ServiceTimeoutError(INSIDE, details),
  service_unexpected_answer: new payments.ServiceUnexpectedAnswerError(INSIDE, details),
  service_call_aborted: new payments.ServiceCallAbortedError(INSIDE, details, 'unknown'),
  no_database_connection: new payments.NoDatabaseConnectionError(73_000),
  database_deadline: new payments.DatabaseDeadlineError(73_000, INSIDE),
};
