import {
  formatAmount,
  PaymentOutcomeUnknownError,
  PaymentsError,
  PaymentsOperator,
  PaymentsService,
  type Amount,
  type PaymentRecord,
  type StoreScope,
} from '@holdfast/payments';
import { ForbiddenException, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { JSX } from 'preact';
import type { BoardAnswer } from './board-answer.js';
import { BoardPages } from './board-pages.js';
import { storeQuery, textOf, type Fields } from './board-query.js';
import { BoardRenderer, type PagePlace } from './board-renderer.js';
import { ActionPage, mostOf } from './pages/action-page.js';
import { MessagePage } from './pages/message-page.js';
import { availableActions, isUnsettled, seenOf, type PaymentAction } from './payment-actions.js';
import { amountText, minorOf } from './view/amount-text.js';

/** A form that was sent, once it is known to be complete. */
interface Asked {
  readonly amount: Amount | null;
  /** The amount is all that there is. */
  readonly isAll: boolean;
  readonly why: string;
}

/** Below `payments/<id>/`. */
const PLACE: PagePlace = { section: 'payments', depth: 2 };
/** Below `deliveries/`. */
const RETRY: PagePlace = { section: 'deliveries', depth: 1 };

/** What people do. Each action is asked for once more, done once, refused on a stale page, and written down before it is done. */
@Injectable()
export class BoardActions {
  constructor(
    private readonly operator: PaymentsOperator,
    private readonly payments: PaymentsService,
    private readonly pages: BoardPages,
    private readonly renderer: BoardRenderer,
  ) {}

  /** The question, with what will happen. */
  ask(request: object, id: string, action: PaymentAction, fields: Fields): Promise<BoardAnswer> {
    this.#mustAct(request);
    return this.pages.page(request, PLACE, async () => {
      const record = await this.operator.inspect(id, scopeOf(fields));
      if (availableActions(record).includes(action)) return question(record, action, randomUUID(), null);
      const text = `The payment is ${record.payment.status}.`;
      return <MessagePage title="This cannot be done now" text={text} next={toPayment(record)} />;
    });
  }

  async act(request: object, id: string, action: PaymentAction, fields: Fields): Promise<BoardAnswer> {
    this.#mustAct(request);
    const scope = scopeOf(fields);
    let record: PaymentRecord;
    try {
      record = await this.operator.inspect(id, scope);
    } catch (error) {
      return this.#cannot(request, error);
    }
    if (isDone(record, action, fields)) return back(record);
    const isStale = action !== 'note' && textOf(fields, 'seen') !== seenOf(record);
    if (isStale || !availableActions(record).includes(action)) return this.#stale(request, record);
    const asked = askedFor(action, record, fields);
    if (typeof asked === 'string') return this.#again(request, record, action, asked, fields);
    try {
      await this.#note(request, id, noteOf(action, asked), scope);
      await this.#do(id, action, asked, textOf(fields, 'key'), scope);
    } catch (error) {
      return this.#cannot(request, error, record);
    }
    return back(record);
  }

  /** Asks the service for the payment's state now. */
  async read(request: object, id: string, fields: Fields): Promise<BoardAnswer> {
    this.#mustAct(request);
    try {
      const { id: paymentId } = await this.payments.refresh(id, scopeOf(fields));
      return { location: `../${paymentId}${storeQuery(textOf(fields, 'store'))}` };
    } catch (error) {
      return this.#cannot(request, error);
    }
  }

  /** One delivery, or all that were given up: a form that lost its fields on the way means neither. */
  async retry(request: object, fields: Fields): Promise<BoardAnswer> {
    this.#mustAct(request);
    try {
      if (textOf(fields, 'all') === 'yes') await this.operator.retryAll();
      else if (!(await this.#retryOne(request, fields))) return await this.#nothingToRun(request);
      return { location: '../deliveries' };
    } catch (error) {
      return this.#cannot(request, error, undefined, RETRY);
    }
  }

  async #retryOne(request: object, fields: Fields): Promise<boolean> {
    const [eventId, handlerId] = [textOf(fields, 'eventId'), textOf(fields, 'handlerId')];
    if (!(await this.operator.retryDelivery(eventId, handlerId))) return false;
    const paymentId = textOf(fields, 'paymentId');
    const note = `Runs ${handlerId} again for event ${eventId}`;
    if (paymentId !== '') await this.#note(request, paymentId, note, scopeOf(fields));
    return true;
  }

  #nothingToRun(request: object): Promise<BoardAnswer> {
    const text = 'It is done, or runs just now.';
    const page = (
      <MessagePage title="Nothing to run" text={text} next={{ path: 'deliveries', name: 'Deliveries' }} />
    );
    return this.pages.page(request, RETRY, () => Promise.resolve(page), 409);
  }

  #note(request: object, paymentId: string, note: string, scope: StoreScope): Promise<void> {
    return this.operator.note(paymentId, { by: this.renderer.actor(request), note }, scope);
  }

  async #do(
    id: string,
    action: PaymentAction,
    { amount, isAll }: Asked,
    key: string,
    scope: StoreScope,
  ): Promise<void> {
    // All that is left needs no sum, and its receipt no lines: the module gives back what was registered.
    const part = amount === null || isAll ? {} : { amount };
    switch (action) {
      case 'capture':
        await this.payments.capture(id, { ...part, ...scope });
        return;
      case 'cancel':
        await this.payments.cancel(id, scope);
        return;
      case 'refund':
        await this.payments.refund(id, { refundKey: key, ...part, ...scope });
        return;
      case 'note':
    }
  }

  #mustAct(request: object): void {
    if (!this.renderer.mayAct(request)) throw new ForbiddenException();
  }

  #again(
    request: object,
    record: PaymentRecord,
    action: PaymentAction,
    fault: string,
    fields: Fields,
  ): Promise<BoardAnswer> {
    const again = question(record, action, textOf(fields, 'key'), { fault, fields });
    return this.pages.page(request, PLACE, () => Promise.resolve(again), 422);
  }

  /** It may have been done. Asking again with another form would be another refund. */
  #unknown(request: object, record: PaymentRecord): Promise<BoardAnswer> {
    const text =
      'The request is recorded and goes on by itself. Do not ask again: the payment shows what has become of it.';
    const next = toPayment(record);
    const page = <MessagePage title="The service has not answered yet" text={text} next={next} />;
    return this.pages.page(request, PLACE, () => Promise.resolve(page), 202);
  }

  #stale(request: object, record: PaymentRecord): Promise<BoardAnswer> {
    const text =
      'The payment has changed since that page was made, or somebody else has acted. Nothing was done: look at it as it is now.';
    return this.pages.page(
      request,
      PLACE,
      () =>
        Promise.resolve(
          <MessagePage title="That page is out of date" text={text} next={toPayment(record)} />,
        ),
      409,
    );
  }

  /** What the module or the service refused, or has not answered yet; anything else is shown as a defect. */
  #cannot(request: object, error: unknown, record?: PaymentRecord, place = PLACE): Promise<BoardAnswer> {
    if (!(error instanceof PaymentsError) || record === undefined)
      return this.pages.page(request, place, () => Promise.reject(error));
    if (error instanceof PaymentOutcomeUnknownError) return this.#unknown(request, record);
    return this.pages.page(
      request,
      PLACE,
      () =>
        Promise.resolve(
          <MessagePage title="That was not done" text={error.message} next={toPayment(record)} />,
        ),
      422,
    );
  }
}

/** The form of an action: pressed twice, its key is the same. */
function question(
  record: PaymentRecord,
  action: PaymentAction,
  formKey: string,
  refused: { readonly fault: string; readonly fields: Fields } | null,
): JSX.Element {
  const most = mostOf(action, record);
  return (
    <ActionPage
      record={record}
      action={action}
      most={most}
      amount={refused === null ? (most?.value ?? '') : textOf(refused.fields, 'amount')}
      why={refused === null ? '' : textOf(refused.fields, 'why')}
      formKey={formKey}
      fault={refused?.fault ?? null}
    />
  );
}

/** Pressed twice, reloaded, or sent again by a browser: the second time finds what the first has done. */
function isDone(
  { payment, refunds, operations }: PaymentRecord,
  action: PaymentAction,
  fields: Fields,
): boolean {
  if (action === 'refund') return refunds.some(({ refundKey }) => refundKey === textOf(fields, 'key'));
  if (operations.some(({ kind, outcome }) => kind === action && isUnsettled(outcome))) return true;
  if (action === 'cancel') return payment.status === 'canceled';
  const asked = amountOf(textOf(fields, 'amount'), payment.amount.currency);
  return (
    action === 'capture' && payment.status === 'succeeded' && payment.capturedAmount.value === asked?.value
  );
}

/** What was entered, or what is wrong with it. */
function askedFor(action: PaymentAction, record: PaymentRecord, fields: Fields): Asked | string {
  const why = textOf(fields, 'why');
  if (why === '') return 'Say why: your colleagues will read it.';
  // A browser counts a line break once, and sends two characters.
  if (why.replaceAll('\r\n', '\n').length > 900) return 'The reason is longer than 900 characters.';
  if (action === 'refund' && !/^[0-9a-f-]{36}$/.test(textOf(fields, 'key')))
    return 'Send the form as the page had it.';
  const most = mostOf(action, record);
  if (most === null) return { amount: null, isAll: true, why };
  const amount = amountOf(textOf(fields, 'amount'), most.currency);
  if (amount === null) return 'The amount is no sum of money: write it as 1234.50.';
  if (minorOf(amount) === 0) return 'The amount is nothing.';
  if (minorOf(amount) > minorOf(most)) return `At most ${amountText(most)} can be taken for this.`;
  return { amount, isAll: minorOf(amount) === minorOf(most), why };
}

/** As people write it: spaces between thousands, a comma or a point. */
function amountOf(text: string, currency: string): Amount | null {
  const match = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/\s/g, ''));
  if (match === null) return null;
  return formatAmount(Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`), currency);
}

const verbs: Readonly<Record<PaymentAction, string>> = {
  capture: 'Captures',
  cancel: 'Lets the hold go',
  refund: 'Refunds',
  note: '',
};

function noteOf(action: PaymentAction, { amount, why }: Asked): string {
  if (action === 'note') return why;
  return `${verbs[action]}${amount === null ? '' : ` ${amountText(amount)}`}: ${why}`;
}

function scopeOf(fields: Fields): StoreScope {
  const store = textOf(fields, 'store');
  return store === '' ? {} : { store };
}

function back({ payment }: PaymentRecord): BoardAnswer {
  return { location: `../${payment.id}${storeQuery(payment.store)}` };
}

function toPayment({ payment }: PaymentRecord): { path: string; name: string } {
  return {
    path: `payments/${payment.id}${storeQuery(payment.store)}`,
    name: `Order ${payment.orderReference}`,
  };
}
