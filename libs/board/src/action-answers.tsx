import { PaymentOutcomeUnknownError, PaymentsError, type PaymentRecord } from '@holdfast/payments';
import { ForbiddenException, Injectable } from '@nestjs/common';
import type { JSX } from 'preact';
import type { BoardAnswer } from './board-answer.js';
import { BoardPages } from './board-pages.js';
import { storeQuery } from './board-query.js';
import { BoardRenderer, type PagePlace } from './board-renderer.js';
import { MessagePage } from './pages/message-page.js';

/** Below `payments/<id>/`. */
export const OF_PAYMENT: PagePlace = { section: 'payments', depth: 2 };

/** What a form is answered with that was not done, or of which that is not known. */
@Injectable()
export class ActionAnswers {
  constructor(
    private readonly pages: BoardPages,
    private readonly renderer: BoardRenderer,
  ) {}

  /** @throws ForbiddenException for whoever may only look */
  mustAct(request: object): void {
    if (!this.renderer.mayAct(request)) throw new ForbiddenException();
  }

  actor(request: object): string {
    return this.renderer.actor(request);
  }

  page(request: object, page: JSX.Element, status: number, place = OF_PAYMENT): Promise<BoardAnswer> {
    return this.pages.page(request, place, () => Promise.resolve(page), status);
  }

  stale(request: object, record: PaymentRecord): Promise<BoardAnswer> {
    const text =
      'The payment has changed since that page was made, or somebody else has acted. Nothing was done: look at it as it is now.';
    const page = <MessagePage title="That page is out of date" text={text} next={toPayment(record)} />;
    return this.page(request, page, 409);
  }

  /** What the module or the service refused, or has not answered yet; anything else is shown as a defect. */
  cannot(request: object, error: unknown, record?: PaymentRecord, place = OF_PAYMENT): Promise<BoardAnswer> {
    if (!(error instanceof PaymentsError) || record === undefined)
      return this.pages.page(request, place, () => Promise.reject(error));
    if (error instanceof PaymentOutcomeUnknownError) return this.#unknown(request, record);
    const page = <MessagePage title="That was not done" text={error.message} next={toPayment(record)} />;
    return this.page(request, page, 422);
  }

  /** It may have been done. Asking again with another form would be another refund. */
  #unknown(request: object, record: PaymentRecord): Promise<BoardAnswer> {
    const text =
      'The request is recorded and goes on by itself. Do not ask again: the payment shows what has become of it.';
    const page = (
      <MessagePage title="The service has not answered yet" text={text} next={toPayment(record)} />
    );
    return this.page(request, page, 202);
  }
}

export function toPayment({ payment }: PaymentRecord): { path: string; name: string } {
  return {
    path: `payments/${payment.id}${storeQuery(payment.store)}`,
    name: `Order ${payment.orderReference}`,
  };
}
