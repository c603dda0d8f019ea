import {
  OrderAlreadyPaidError,
  PaymentNotFoundError,
  PaymentOutcomeUnknownError,
  RecoveryInProgressError,
  PaymentRejectedError,
  ServiceError,
  StoreDisabledError,
  StoreNotConnectedError,
  StoreNotFoundError,
} from '@holdfast/payments';
import { HttpException, HttpStatus } from '@nestjs/common';

import type { Page } from '../../shared/pages/document.js';
import { html } from '../../shared/pages/html.js';

type ErrorAnswer = { redirectTo: string } | { status: number; page: Page };

/** What a user whose request failed gets to see. `reference`: of the sale it was about. */
export function errorAnswer(error: unknown, reference: string | undefined): ErrorAnswer {
  if (error instanceof OrderAlreadyPaidError) return { redirectTo: `/sales/${error.orderReference}` };
  if (error instanceof StoreNotConnectedError || error instanceof StoreDisabledError) {
    return answer(
      HttpStatus.CONFLICT,
      'This shop takes no payments at the moment',
      'Nothing was charged. Please come back later; its owner has been notified.',
    );
  }
  if (error instanceof PaymentRejectedError) {
    return answer(
      HttpStatus.BAD_GATEWAY,
      'The payment could not be started',
      'The payment service refused it. Nothing was charged. Please come back later.',
    );
  }
  if (
    error instanceof PaymentOutcomeUnknownError ||
    error instanceof RecoveryInProgressError ||
    error instanceof ServiceError
  ) {
    const again = reference === undefined ? '' : ' Your purchase page keeps looking.';
    return answer(
      HttpStatus.SERVICE_UNAVAILABLE,
      'The payment service does not answer',
      `Nothing is lost, and nothing is paid twice.${again} Please try again in a minute.`,
      reference,
    );
  }
  const status = statusOf(error);
  if (status === 401) return { redirectTo: '/?notice=sign_in' };
  if (status === 404)
    return answer(status, 'There is nothing here', 'The page you asked for does not exist.');
  if (status === 429)
    return answer(status, 'Too many tries', 'Please wait a quarter of an hour, then try again.');
  if (status < 500) return answer(status, 'That did not work', 'Please go back and try once more.');
  return answer(
    status,
    'Something broke on our side',
    'We have been notified. Please try again in a minute.',
    reference,
  );
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const isNotFound = error instanceof StoreNotFoundError || error instanceof PaymentNotFoundError;
  return isNotFound ? HttpStatus.NOT_FOUND : HttpStatus.INTERNAL_SERVER_ERROR;
}

function answer(status: number, title: string, text: string, reference?: string): ErrorAnswer {
  const [to, label] = reference === undefined ? ['/', 'All shops'] : [`/sales/${reference}`, 'Your purchase'];
  const body = html`<div class="narrow stack">
    <h1>${title}</h1>
    <p>${text}</p>
    <div class="actions"><a class="button quiet" href="${to}">${label}</a></div>
  </div>`;
  return { status, page: { title, body } };
}
