import { PaymentsOperator, type PaymentRecord } from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ActionAnswers, OF_PAYMENT, toPayment } from './action-answers.js';
import type { BoardAnswer } from './board-answer.js';
import { BoardPages } from './board-pages.js';
import { scopeOf, storeQuery, textOf, type Fields } from './board-query.js';
import { ActionPage } from './pages/action-page.js';
import { ConfirmPage } from './pages/confirm-page.js';
import { MessagePage } from './pages/message-page.js';
import { availableActions, oddRefunds, seenOf, type PaymentAction } from './payment-actions.js';
import { askedFor, formOf, isDone, mostOf, type FormAbout } from './payment-form.js';
import { PaymentWork } from './payment-work.js';

/** What people do with a payment. Each action is asked for once more, done once, refused on a stale page, and written down before it is done. */
@Injectable()
export class BoardActions {
  constructor(
    private readonly operator: PaymentsOperator,
    private readonly work: PaymentWork,
    private readonly pages: BoardPages,
    private readonly answers: ActionAnswers,
  ) {}

  /** The question, with what will happen. */
  ask(request: object, id: string, action: PaymentAction, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    return this.pages.page(request, OF_PAYMENT, async () => {
      const about = await this.#about(id, action, fields);
      const { record } = about;
      const asked = formOf(fields);
      if (!availableActions(record).includes(action) || !hasProblem(record, action, asked.problem)) {
        const text = `The payment is ${record.payment.status}.`;
        return <MessagePage title="This cannot be done now" text={text} next={toPayment(record)} />;
      }
      const amount = mostOf(action, record)?.value ?? '';
      const by = about.goods?.receipt ? asked.by : 'sum';
      const form = { ...asked, by, key: randomUUID(), amount, why: '' };
      return <ActionPage action={action} about={about} form={form} fault={null} />;
    });
  }

  async act(request: object, id: string, action: PaymentAction, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    let about: FormAbout;
    try {
      about = await this.#about(id, action, fields);
    } catch (error) {
      return this.answers.cannot(request, error);
    }
    const { record } = about;
    const form = formOf(fields);
    if (isDone(record, action, form)) return back(record);
    const isStale = action !== 'note' && textOf(fields, 'seen') !== seenOf(record);
    if (isStale || !availableActions(record).includes(action)) return this.answers.stale(request, record);
    const asked = askedFor(action, about, form);
    if (typeof asked === 'string') {
      const again = <ActionPage action={action} about={about} form={form} fault={asked} />;
      return this.answers.page(request, again, 422);
    }
    const { amount } = asked;
    if (amount !== null && form.sum !== amount.value) {
      const question = <ConfirmPage action={action} about={about} form={form} asked={{ ...asked, amount }} />;
      return this.answers.page(request, question, 200);
    }
    try {
      await this.work.do(action, about, asked, { by: this.answers.actor(request), scope: scopeOf(fields) });
    } catch (error) {
      return this.answers.cannot(request, error, record);
    }
    return back(record);
  }

  /** Asks the service for the payment's state now. */
  async read(request: object, id: string, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    try {
      const { id: paymentId } = await this.operator.reread(id, scopeOf(fields));
      return { location: `../${paymentId}${storeQuery(textOf(fields, 'store'))}` };
    } catch (error) {
      return this.answers.cannot(request, error);
    }
  }

  /** The page of the payment with the buyer's details in full, once it is written down who has seen them. */
  show(request: object, id: string, fields: Fields): Promise<BoardAnswer> {
    this.answers.mustAct(request);
    return this.pages.payment(request, OF_PAYMENT, id, fields, () =>
      this.operator.showBuyer(id, { by: this.answers.actor(request) }, scopeOf(fields)),
    );
  }

  /** What is left of the goods is read first: a refund that has changed it since, by the same form too, is in the record then. */
  async #about(id: string, action: PaymentAction, fields: Fields): Promise<FormAbout> {
    const scope = scopeOf(fields);
    const hasPieces = action === 'refund' || action === 'capture';
    const goods = hasPieces ? await this.operator.paidGoods(id, scope) : null;
    return { goods, record: await this.operator.inspect(id, scope) };
  }
}

/** What is about one refund, receipt or incident says which, and that is still open. */
function hasProblem(record: PaymentRecord, action: PaymentAction, problem: string): boolean {
  const { receiptProblems, incidents } = record;
  if (action === 'accept-refund') return oddRefunds(record).some(({ id }) => id === problem);
  if (action === 'resolve-incident') return incidents.some(({ id }) => id === problem);
  const known = receiptProblems.find(({ id }) => id === problem);
  if (action === 'send-receipt') return known?.remedy === 'send_again';
  return action !== 'close-receipt' || known !== undefined;
}

function back({ payment }: PaymentRecord): BoardAnswer {
  return { location: `../${payment.id}${storeQuery(payment.store)}` };
}
