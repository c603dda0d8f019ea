import {
  OperationRefusedError,
  PaymentNotRefundableError,
  PaymentOutcomeUnknownError,
  PaymentWhollyRefundedError,
  RefundAmountExceededError,
  RefundWindowClosedError,
  StoreNotConnectedError,
} from '@holdfast/payments';

/** The store page's notice about a requested refund. Other errors are nothing its owner could act on. */
export async function refundNotice(refund: Promise<unknown>): Promise<string> {
  try {
    await refund;
    return 'refunded';
  } catch (error) {
    if (
      error instanceof OperationRefusedError ||
      error instanceof PaymentNotRefundableError ||
      error instanceof PaymentOutcomeUnknownError ||
      error instanceof PaymentWhollyRefundedError ||
      error instanceof RefundAmountExceededError ||
      error instanceof RefundWindowClosedError ||
      error instanceof StoreNotConnectedError
    )
      return error.code;
    throw error;
  }
}
