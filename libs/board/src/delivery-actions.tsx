import { PaymentsOperator } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { ActionAnswers } from './action-answers.js';
import type { BoardAnswer } from './board-answer.js';
import { textOf, type Fields } from './board-query.js';
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
      const by = this.answers.actor(request);
      const handlerId = textOf(fields, 'handlerId');
      if (textOf(fields, 'all') === 'yes') {
        await this.operator.retryAll({ by, ...(handlerId !== '' && { handlerId }) });
        const query = new URLSearchParams({ id: handlerId }).toString();
        return { location: handlerId === '' ? '../deliveries' : `../handler?${query}` };
      }
      if (!(await this.operator.retryDelivery(textOf(fields, 'eventId'), handlerId, { by })))
        return await this.#nothingToRun(request);
      return { location: '../deliveries' };
    } catch (error) {
      return this.answers.cannot(request, error, undefined, PLACE);
    }
  }

  #nothingToRun(request: object): Promise<BoardAnswer> {
    const next = { path: 'deliveries', name: 'Deliveries' };
    const page = <MessagePage title="Nothing to run" text="It is done, or runs just now." next={next} />;
    return this.answers.page(request, page, 409, PLACE);
  }
}
