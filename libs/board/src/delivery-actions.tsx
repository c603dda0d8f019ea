import { PaymentsOperator } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { ActionAnswers } from './action-answers.js';
import type { BoardAnswer } from './board-answer.js';
import { scopeOf, textOf, type Fields } from './board-query.js';
import type { PagePlace } from './board-renderer.js';
import { MessagePage } from './pages/message-page.js';

/** Below `deliveries/`. */
const PLACE: PagePlace = { section: 'deliveries', depth: 1 };

/** Runs deliveries again. */
@Injectable()
export class DeliveryActions {
  constructor(
    private readonly operator: PaymentsOperator,
    private readonly answers: ActionAnswers,
  ) {}

  /** One delivery, or all that were given up, of one handler or of all: a form that lost its fields on the way means neither. */
  async retry(request: object, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    try {
      const handlerId = textOf(fields, 'handlerId');
      if (textOf(fields, 'all') === 'yes') {
        await this.operator.retryAll(handlerId === '' ? {} : { handlerId });
        const query = new URLSearchParams({ id: handlerId }).toString();
        return { location: handlerId === '' ? '../deliveries' : `../handler?${query}` };
      }
      if (!(await this.#retryOne(request, fields))) return await this.#nothingToRun(request);
      return { location: '../deliveries' };
    } catch (error) {
      return this.answers.cannot(request, error, undefined, PLACE);
    }
  }

  async #retryOne(request: object, fields: Fields): Promise<boolean> {
    const [eventId, handlerId] = [textOf(fields, 'eventId'), textOf(fields, 'handlerId')];
    if (!(await this.operator.retryDelivery(eventId, handlerId))) return false;
    const paymentId = textOf(fields, 'paymentId');
    const note = `Runs ${handlerId} again for event ${eventId}`;
    const by = this.answers.actor(request);
    if (paymentId !== '') await this.operator.note(paymentId, { by, note }, scopeOf(fields));
    return true;
  }

  #nothingToRun(request: object): Promise<BoardAnswer> {
    const next = { path: 'deliveries', name: 'Deliveries' };
    const page = <MessagePage title="Nothing to run" text="It is done, or runs just now." next={next} />;
    return this.answers.page(request, page, 409, PLACE);
  }
}
