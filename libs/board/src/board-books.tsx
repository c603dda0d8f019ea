import { AuditInProgressError, PaymentsOperator } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { ActionAnswers } from './action-answers.js';
import type { BoardAnswer } from './board-answer.js';
import { BoardPages } from './board-pages.js';
import { dayOf, scopeOf, textOf, type Fields } from './board-query.js';
import { BoardRenderer, type PagePlace } from './board-renderer.js';
import { AuditPage } from './pages/audit-page.js';
import { BooksPage, type BooksForm } from './pages/books-page.js';
import { MessagePage } from './pages/message-page.js';
import { dateOf, dayAfter, dayStart } from './view/time-text.js';

const PLACE: PagePlace = { section: 'books', depth: 0 };
/** How far a comparison is can be watched. */
const BELOW: PagePlace = { section: 'books', depth: 1, isLive: true };

/** What the books were compared for, and how that is asked for. */
@Injectable()
export class BoardBooks {
  constructor(
    private readonly operator: PaymentsOperator,
    private readonly pages: BoardPages,
    private readonly renderer: BoardRenderer,
    private readonly answers: ActionAnswers,
  ) {}

  /** `fault`: what is wrong with the form that was sent. Default: nothing. */
  list(request: object, fields: Fields, fault: string | null = null): Promise<BoardAnswer> {
    const [store, cursor] = [textOf(fields, 'store'), textOf(fields, 'cursor')];
    const make = async () => {
      const page = await this.operator.keptAudits({ ...scopeOf(fields), ...(cursor !== '' && { cursor }) });
      return <BooksPage page={page} form={await this.#form(fields, fault)} isFirst={cursor === ''} />;
    };
    const place = { ...PLACE, isLive: fault === null };
    return this.pages.ofStore(request, place, store, make, fault === null ? 200 : 422);
  }

  one(request: object, id: string): Promise<BoardAnswer> {
    return this.pages.page(request, BELOW, async () => {
      const audit = await this.operator.keptAudit(id);
      if (audit !== null) return <AuditPage audit={audit} />;
      const next = { path: 'books', name: 'Books' };
      return <MessagePage title="There is no such comparison" text="Check its address." next={next} />;
    });
  }

  /** Sent twice, it is the same comparison: the last moment is that of the form's page. */
  async start(request: object, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    const { timeZone } = this.renderer;
    const [first, last] = [dayOf(textOf(fields, 'from')), dayOf(textOf(fields, 'to'))];
    const madeAt = Date.parse(textOf(fields, 'asof'));
    if (first === '' || last === '' || Number.isNaN(madeAt))
      return this.list(request, fields, 'Say the first and the last day.');
    const from = dayStart(first, timeZone);
    const to = new Date(Math.min(dayStart(dayAfter(last), timeZone).getTime(), madeAt));
    if (from >= to)
      return this.list(request, fields, 'The first day must be over or today, and not after the last.');
    const by = this.answers.actor(request);
    try {
      const { id } = await this.operator.startAudit({ from, to, by, ...scopeOf(fields) });
      return { location: `books/${id}` };
    } catch (error) {
      if (!(error instanceof AuditInProgressError))
        return this.answers.cannot(request, error, undefined, PLACE);
      const text = 'One comparison of a store is made at a time. This one has to end first.';
      const next = { path: `books/${error.auditId}`, name: 'How far it is' };
      const page = <MessagePage title="The books are being compared already" text={text} next={next} />;
      return this.answers.page(request, page, 409, PLACE);
    }
  }

  /** What was sent or is in the address; otherwise yesterday and today. */
  async #form(fields: Fields, fault: string | null): Promise<BooksForm> {
    const { timeZone } = this.renderer;
    const now = await this.operator.now();
    const today = dateOf(now, timeZone);
    const yesterday = dateOf(new Date(dayStart(today, timeZone).getTime() - 1), timeZone);
    return {
      from: dayOf(textOf(fields, 'from')) || yesterday,
      to: dayOf(textOf(fields, 'to')) || today,
      store: textOf(fields, 'store'),
      fault,
    };
  }
}
