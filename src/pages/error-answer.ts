import {
  OperationInProgressError,
  OperationRefusedError,
  OrderAlreadyPaidError,
  OrderAmountExceededError,
  OrderPaymentOpenError,
  OrderPaymentsExceededError,
  PaymentNotHeldError,
  PaymentNotRefundableError,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  PaymentWhollyRefundedError,
  ReceiptNotPossibleError,
  RecoveryInProgressError,
  RefundAmountExceededError,
  RefundKeyReusedError,
  RefundWindowClosedError,
  ServiceError,
} from '@holdfast/payments';

import { statusOf } from '../../examples/shared/web/status-of.js';
import { messagePage } from './message-page.js';

type ErrorAnswer = { redirectTo: string } | { status: number; page: string };

/** The order that a request was about, for whom it was made. */
export interface AskedOrder {
  reference: string;
  /** Whether the staff made the request, on their own pages. */
  byStaff: boolean;
}

/** What a user whose request failed gets to see. */
export function errorAnswer(error: unknown, asked: AskedOrder | undefined): ErrorAnswer {
  const status = statusOf(error);
  const order = asked && `/${asked.byStaff ? 'staff/' : ''}orders/${asked.reference}`;

  // The order page shows the full state; the notice adds why nothing happened.
  if (
    error instanceof OrderAlreadyPaidError ||
    error instanceof PaymentNotHeldError ||
    error instanceof OperationInProgressError ||
    error instanceof OperationRefusedError ||
    error instanceof PaymentNotRefundableError ||
    error instanceof PaymentWhollyRefundedError ||
    error instanceof ReceiptNotPossibleError ||
    error instanceof RefundAmountExceededError ||
    error instanceof RefundKeyReusedError ||
    error instanceof RefundWindowClosedError
  ) {
    return { redirectTo: `${order}?notice=${error.code}` };
  }
  // It is recorded and continues by itself, so there is nothing to try again.
  if (
    error instanceof PaymentOutcomeUnknownError &&
    (error.operation === 'refund' || error.operation === 'receipt')
  ) {
    return { redirectTo: `${order}?notice=${error.operation}_unknown` };
  }
  if (error instanceof PaymentOutcomeUnknownError || error instanceof ServiceError) {
    const again = retryOf(error, asked?.byStaff ?? false);
    return answer(status, {
      title: asked?.byStaff ? 'The payment service does not answer' : 'We are checking your payment',
      text:
        'The payment service has not answered yet. The order is safe, and trying again continues the same payment: ' +
        'nothing is paid twice.',
      ...(again && { retry: { action: `${order}/${again}`, label: 'Try again' } }),
      order,
    });
  }
  if (error instanceof RecoveryInProgressError) {
    return answer(status, {
      title: 'Please try again in a minute',
      text: 'We are checking with the payment service what has been paid and refunded already. Nothing is paid or refunded twice.',
      ...(!asked?.byStaff && { retry: { action: `${order}/pay`, label: 'Try again' } }),
      order,
    });
  }
  if (error instanceof PaymentRejectedError) {
    return answer(status, {
      title: 'The payment could not be started',
      text: 'The payment service refused it. Nothing was charged. Your order is kept, so you can try again later.',
      order,
    });
  }
  if (
    error instanceof OrderAmountExceededError ||
    error instanceof OrderPaymentOpenError ||
    error instanceof OrderPaymentsExceededError
  ) {
    return answer(status, {
      title: 'This order has a payment under way',
      text: 'Another payment would be more than is due. Please finish the one you started.',
      order,
    });
  }
  if (status === 404) {
    return answer(status, {
      title: 'There is nothing here',
      text: 'The page or the order you asked for does not exist.',
    });
  }
  if (status === 401)
    return answer(status, { title: 'For the shop’s staff', text: 'This page opens with their password.' });
  if (status === 429)
    return answer(status, {
      title: 'Too many tries',
      text: order
        ? 'Please wait a few minutes, then try again. Nothing is lost, and nothing was paid twice.'
        : 'Please wait a quarter of an hour, then try again.',
      order,
    });
  if (status < 500)
    return answer(status, { title: 'That did not work', text: 'Please go back and try once more.' });
  return answer(status, {
    title: 'Something broke on our side',
    text: 'We have been notified. Please try again in a minute.',
    order,
  });
}

const retryPaths: Record<string, string> = { create: 'pay', capture: 'ship', cancel: 'cancel' };

/** Which of the order's forms sends the same request again; undefined if the user has no such form. */
function retryOf(error: PaymentOutcomeUnknownError | ServiceError, byStaff: boolean): string | undefined {
  if (error instanceof PaymentOutcomeUnknownError) return retryPaths[error.operation];
  return byStaff ? undefined : 'pay';
}

function answer(status: number, message: Parameters<typeof messagePage>[0]): ErrorAnswer {
  return { status, page: messagePage(message) };
}
