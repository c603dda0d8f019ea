import {
  OrderAlreadyPaidError,
  PaymentOutcomeUnknownError,
  RecoveryInProgressError,
  PaymentRejectedError,
  ServiceError,
  StoreDisabledError,
  StoreNotConnectedError,
} from '@holdfast/payments';

import type { Page } from '../../shared/pages/document.js';
import { html } from '../../shared/pages/html.js';
import { statusOf } from '../../shared/web/status-of.js';

type ErrorAnswer = { redirectTo: string } | { status: number; page: Page };

/** What a user whose request failed gets to see. `reference`: of the sale it was about. */
export function errorAnswer(error: unknown, reference: string | undefined): ErrorAnswer {
  const status = statusOf(error);
  if (error instanceof OrderAlreadyPaidError) return { redirectTo: `/sales/${error.orderReference}` };
  if (error instanceof StoreNotConnectedError || error instanceof StoreDisabledError) {
    return answer(
      status,
      'This shop takes no payments at the moment',
      'Nothing was charged. Please come back later; its owner has been notified.',
    );
  }
  if (error instanceof PaymentRejectedError) {
    return answer(
      status,
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
      status,
      'The payment service does not answer',
      `Nothing is lost, and nothing is paid twice.${again} Please try again in a minute.`,
      reference,
    );
  }
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

function answer(status: number, title: string, text: string, reference?: string): ErrorAnswer {
  const [to, label] = reference === undefined ? ['/', 'All shops'] : [`/sales/${reference}`, 'Your purchase'];
  const body = html`<div class="narrow stack">
    <h1>${title}</h1>
    <p>${text}</p>
    <div class="actions"><a class="button quiet" href="${to}">${label}</a></div>
  </div>`;
  return { status, page: { title, body } };
}
