import {
  formatAmount,
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
import { textOf, type Fields } from './board-query.js';
import { BoardRenderer, type PagePlace } from './board-renderer.js';
import { ActionPage, mostOf } from './pages/action-page.js';
import { MessagePage } from './pages/message-page.js';
import { availableActions, seenOf, type PaymentAction } from './payment-actions.js';
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
    if (isDone(record, action, textOf(fields, 'key'))) return back(record);
    const isStale = action !== 'note' && textOf(fields, 'seen') !== seenOf(record);
    if (isStale || !availableActions(record).includes(action)) return this.#stale(request, record);
    const asked = askedFor(action, record, fields);
    if (typeof asked === 'string') return this.#again(request, record, action, asked, textOf(fields, 'key'));
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

  /** One delivery, or all that were given up. */
  async retry(request: object, fields: Fields): Promise<BoardAnswer> {
    this.#mustAct(request);
    const [eventId, handlerId, paymentId] = ['eventId', 'handlerId', 'paymentId'].map((name) =>
      textOf(fields, name),
    );
    try {
      if (eventId === '' && handlerId === '') await this.operator.retryAll();
      else {
        if (paymentId)
          await this.#note(
            request,
            paymentId,
            `Runs ${handlerId} again for event ${eventId}`,
            scopeOf(fields),
          );
        await this.operator.retryDelivery(eventId ?? '', handlerId ?? '');
      }
      return { location: '../deliveries' };
    } catch (error) {
      return this.#cannot(request, error);
    }
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
    key: string,
  ): Promise<BoardAnswer> {
    return this.pages.page(request, PLACE, () => Promise.resolve(question(record, action, key, fault)), 422);
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

  /** What the module or the service refused; anything else is shown as a defect. */
  #cannot(request: object, error: unknown, record?: PaymentRecord): Promise<BoardAnswer> {
    if (!(error instanceof PaymentsError) || record === undefined)
      return this.pages.page(request, PLACE, () => Promise.reject(error));
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
  fault: string | null,
): JSX.Element {
  return (
    <ActionPage
      record={record}
      action={action}
      amount={mostOf(action, record)}
      formKey={formKey}
      fault={fault}
    />
  );
}

/** Pressed twice, reloaded, or sent again by a browser: the second time finds what the first has done. */
function isDone({ payment, refunds }: PaymentRecord, action: PaymentAction, key: string): boolean {
  if (action === 'refund') return refunds.some(({ refundKey }) => refundKey === key);
  if (action === 'capture') return payment.status === 'succeeded';
  return action === 'cancel' && payment.status === 'canceled';
}

/** What was entered, or what is wrong with it. */
function askedFor(action: PaymentAction, record: PaymentRecord, fields: Fields): Asked | string {
  const why = textOf(fields, 'why');
  if (why === '') return 'Say why: your colleagues will read it.';
  if (why.length > 900) return 'The reason is longer than 900 characters.';
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

function storeQuery(store: string): string {
  return store === '' ? '' : `?${new URLSearchParams({ store }).toString()}`;
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
