import { PaymentsOperator, type HandlerState } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { ActionAnswers } from './action-answers.js';
import type { BoardAnswer } from './board-answer.js';
import { BoardPages } from './board-pages.js';
import { scopeOf, storeQuery, textOf, type Fields } from './board-query.js';
import type { PagePlace } from './board-renderer.js';
import { HandlerPage } from './pages/handler-page.js';
import { MessagePage } from './pages/message-page.js';

const STORES: PagePlace = { section: 'stores', depth: 1 };
const RECOVERIES: PagePlace = { section: 'recoveries', depth: 1 };

/** Stores, handlers and lost commits: what a person looks at and sets right there. */
@Injectable()
export class SetupActions {
  constructor(
    private readonly operator: PaymentsOperator,
    private readonly pages: BoardPages,
    private readonly answers: ActionAnswers,
  ) {}

  handler(request: object, fields: Fields): Promise<BoardAnswer> {
    return this.#handler(
      request,
      textOf(fields, 'id'),
      { section: 'handlers', depth: 0, isLive: true },
      null,
    );
  }

  /** Whoever retires a handler types its id: what waits for it is given up for good. */
  async retire(request: object, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    const [id, typed] = [textOf(fields, 'handlerId'), textOf(fields, 'typed')];
    const place = { section: 'handlers', depth: 1 };
    if (typed !== id || id === '')
      return this.#handler(request, id, place, 'That is not its id: nothing was done.');
    try {
      await this.operator.retireHandler(id, { by: this.answers.actor(request) });
    } catch (error) {
      return this.answers.cannot(request, error, undefined, place);
    }
    return { location: `../handler?${new URLSearchParams({ id }).toString()}` };
  }

  async check(request: object, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    try {
      await this.operator.checkStore(scopeOf(fields));
      return { location: `../store${storeQuery(textOf(fields, 'store'))}` };
    } catch (error) {
      return this.answers.cannot(request, error, undefined, STORES);
    }
  }

  /** The same time once more, in every store. A second click has it read once more too, which changes nothing. */
  async readAgain(request: object, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    try {
      const unread = (await this.operator.recoveries()).find(
        ({ id, error, doneAt }) => id === textOf(fields, 'id') && error !== null && doneAt !== null,
      );
      if (unread !== undefined) {
        // A Date has no microseconds, and the time that is read has to contain all of it.
        const to = new Date(unread.to.getTime() + 1);
        await this.operator.recover({ from: unread.from, to });
        return { location: '../recoveries' };
      }
    } catch (error) {
      return this.answers.cannot(request, error, undefined, RECOVERIES);
    }
    const next = { path: 'recoveries', name: 'Lost commits' };
    const page = <MessagePage title="Nothing to read" text="It has been read by now." next={next} />;
    return this.answers.page(request, page, 409, RECOVERIES);
  }

  /** What a person says of a database that may be a copy. Said twice, the second one finds nobody who asks. */
  async database(request: object, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    const answer = textOf(fields, 'answer');
    const next = { path: 'recoveries', name: 'Lost commits' };
    if (answer !== 'continue' && answer !== 'detach') {
      const text = 'Type continue or detach: nothing was done.';
      const page = <MessagePage title="That is no answer" text={text} next={next} />;
      return this.answers.page(request, page, 422, RECOVERIES);
    }
    try {
      const { operator } = this;
      const done = await (answer === 'continue' ? operator.continueDatabase() : operator.detachDatabase());
      if (done !== null) return { location: '../recoveries' };
    } catch (error) {
      return this.answers.cannot(request, error, undefined, RECOVERIES);
    }
    const text = 'The database is where it was, or somebody has answered by now.';
    const page = <MessagePage title="Nobody asks" text={text} next={next} />;
    return this.answers.page(request, page, 409, RECOVERIES);
  }

  #handler(request: object, id: string, place: PagePlace, fault: string | null): Promise<BoardAnswer> {
    return this.pages.page(
      request,
      place,
      async () => {
        const handler = await this.#known(id);
        if (handler === null) {
          const next = { path: 'handlers', name: 'Handlers' };
          return (
            <MessagePage title="There is no such handler" text="No process has registered it." next={next} />
          );
        }
        const parked = await this.operator.parkedDeliveries({ handlerId: id });
        const failing = await this.operator.failingDeliveries({ handlerId: id });
        return (
          <HandlerPage
            handler={handler}
            parked={parked.map((delivery) => ({ ...delivery, nextAttemptAt: null }))}
            failing={failing}
            fault={fault}
          />
        );
      },
      fault === null ? 200 : 422,
    );
  }

  async #known(id: string): Promise<HandlerState | null> {
    return (await this.operator.handlers()).find((handler) => handler.id === id) ?? null;
  }
}
