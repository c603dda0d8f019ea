import {
  PaymentsOperator,
  PaymentsService,
  receiptOfPart,
  type Amount,
  type StoreScope,
} from '@holdfast/payments';
import { Injectable } from '@nestjs/common';
import type { PaymentAction } from './payment-actions.js';
import type { Asked, FormAbout } from './payment-form.js';
import { amountText } from './view/amount-text.js';

/** Who asks for it, and in which store. */
export interface Doer {
  readonly by: string;
  readonly scope: StoreScope;
}

/** Does what a complete form asks for, once it is written down. */
@Injectable()
export class PaymentWork {
  constructor(
    private readonly operator: PaymentsOperator,
    private readonly payments: PaymentsService,
  ) {}

  async do(action: PaymentAction, about: FormAbout, asked: Asked, { by, scope }: Doer): Promise<void> {
    const { id } = about.record.payment;
    const said = noteOf(action, about, asked);
    // The others write their line themselves.
    if (said !== null) await this.operator.note(id, { by, note: said }, scope);
    const { key, why: note, problem, email } = asked;
    switch (action) {
      case 'capture':
        await this.payments.capture(id, { ...partOfHold(about, asked), ...scope });
        return;
      case 'cancel':
        await this.payments.cancel(id, scope);
        return;
      case 'leave':
        await this.operator.leaveHold(id, { by, note }, scope);
        return;
      case 'refund':
        await this.payments.refund(id, { refundKey: key, ...partOfMoney(about, asked), ...scope });
        return;
      case 'accept-refund':
        await this.operator.acceptRefund(problem, { by, note });
        return;
      case 'hand-over':
        await this.payments.settlePrepayment(id, { receiptKey: key, ...scope });
        return;
      case 'send-receipt':
        await this.operator.sendReceiptAgain(problem, {
          by,
          note,
          ...(email !== '' && { customer: { email } }),
        });
        return;
      case 'close-receipt':
        await this.operator.resolveReceipt(problem, { by, note });
        return;
      case 'resolve-incident':
        await this.operator.resolveIncident(problem, { by, note });
        return;
      case 'note':
    }
  }
}

/** All that is held needs no sum, and its receipt no lines: the service has it. */
function partOfHold({ goods }: FormAbout, { amount, isAll }: Asked) {
  if (amount === null || isAll) return {};
  return { amount, ...(goods?.receipt && { receipt: receiptOfPart(goods.receipt, { amount }) }) };
}

/** All that is left needs no sum: the module gives back what was registered. */
function partOfMoney({ goods }: FormAbout, { amount, isAll, lines }: Asked) {
  const receiptOf = goods?.receipt ? { receiptOf: goods.receipt } : {};
  if (lines !== null) return { ...receiptOf, lines };
  return amount === null || isAll ? {} : { amount, ...receiptOf };
}

/** As long as a reason leaves room for. */
const MOST_CHARACTERS = 60;

/** What the timeline says before it is done; null: the module writes it. */
function noteOf(
  action: PaymentAction,
  { goods, record: { refunds } }: FormAbout,
  { amount, lines, problem, why }: Asked,
): string | null {
  switch (action) {
    case 'capture':
      return `Captures${sumText(amount)}: ${why}`;
    case 'cancel':
      return `Lets the hold go: ${why}`;
    case 'refund': {
      const named = lines?.map(({ line, quantity }) => `${quantity} × ${goods?.items[line]?.description}`);
      return `Refunds${named === undefined ? sumText(amount) : ` ${shortened(named.join(', '))}`}: ${why}`;
    }
    case 'accept-refund': {
      const requested = refunds.find(({ id }) => id === problem)?.amount ?? null;
      return `Accepts the refund of${sumText(requested)} as the service has it: ${why}`;
    }
    case 'hand-over':
      return `Hands over what was paid in advance: ${why}`;
    case 'note':
      return why;
    case 'leave':
    case 'send-receipt':
    case 'close-receipt':
    case 'resolve-incident':
    default:
      return null;
  }
}

function sumText(amount: Amount | null): string {
  return amount === null ? '' : ` ${amountText(amount)}`;
}

function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : text;
}
